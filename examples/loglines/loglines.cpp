// Reads a web server's access log and prints every failed request, then totals per host, per hour
// and per path.
//
//   10.0.3.17 [14:02:51] "GET /shop/item/381" 200 5120 37
#include <algorithm>
#include <iomanip>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

struct Request {
    std::string host;
    std::string time;
    std::string method;
    std::string path;
    int status = 0;
    long bytes = 0;
    int ms = 0;
};

struct Totals {
    long requests = 0;
    long failures = 0;
    long bytes = 0;
    long ms = 0;
};

static std::string strip(std::string text, char open, char close) {
    if (text.size() >= 2 && text.front() == open && text.back() == close) return text.substr(1, text.size() - 2);
    return text;
}

static bool parse(std::string line, Request &request) {
    std::istringstream in(line);
    std::string time, method, path;
    if (!(in >> request.host >> time >> method >> path >> request.status >> request.bytes >> request.ms)) return false;
    request.time = strip(time, '[', ']');
    request.method = method.substr(1);
    request.path = path.substr(0, path.size() - 1);
    return true;
}

// "/shop/item/381" belongs to "/shop/item"
static std::string section(std::string path) {
    std::size_t slash = path.rfind('/');
    if (slash == 0 || slash == std::string::npos) return path;
    return path.substr(0, slash);
}

static void count(std::map<std::string, Totals> &table, std::string key, Request request) {
    Totals &totals = table[key];
    totals.requests++;
    totals.bytes += request.bytes;
    totals.ms += request.ms;
    if (request.status >= 400) totals.failures++;
}

static void print(std::string title, std::map<std::string, Totals> table) {
    std::cout << title << std::endl;
    for (auto entry : table) {
        std::cout << "  " << std::left << std::setw(24) << entry.first << std::right << std::setw(8)
                  << entry.second.requests << std::setw(8) << entry.second.failures << std::setw(12)
                  << entry.second.bytes << std::setw(8) << entry.second.ms / entry.second.requests << std::endl;
    }
}

int main() {
    std::map<std::string, Totals> hosts, hours, sections;
    std::vector<int> durations;
    long bad = 0;
    std::string line;
    while (std::getline(std::cin, line)) {
        Request request;
        if (!parse(line, request)) {
            bad++;
            continue;
        }
        if (request.status >= 400)
            std::cout << request.time << " " << request.status << " " << request.method << " " << request.path << " from "
                      << request.host << std::endl;
        count(hosts, request.host, request);
        count(hours, request.time.substr(0, 2) + "h", request);
        count(sections, section(request.path), request);
        durations.push_back(request.ms);
    }
    print("hosts", hosts);
    print("hours", hours);
    print("sections", sections);
    std::sort(durations.begin(), durations.end());
    if (!durations.empty()) {
        std::cout << "median " << durations[durations.size() / 2] << " ms, p99 "
                  << durations[durations.size() * 99 / 100] << " ms" << std::endl;
    }
    std::cout << "unreadable lines: " << bad << std::endl;
    return 0;
}
