// Reads a web server's access log and prints what was asked for, by whom, and how much was sent.
#include <algorithm>
#include <iostream>
#include <map>
#include <string>
#include <vector>

struct Entry {
    std::string client;
    std::string path;
    int status = 0;
    long bytes = 0;
};

std::string folder_of(std::string path) {
    std::string folder = "";
    for (size_t i = 1; i < path.size(); ++i) {
        if (path[i] == '/') break;
        folder = folder + path[i];
    }
    return "/" + folder;
}

bool is_error(Entry entry) { return entry.status >= 400; }

std::vector<std::string> busiest(std::map<std::string, long> sent, size_t most) {
    std::vector<std::pair<std::string, long>> rows(sent.begin(), sent.end());
    std::sort(rows.begin(), rows.end(), [](std::pair<std::string, long> a, std::pair<std::string, long> b) {
        return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    std::vector<std::string> names;
    for (size_t i = 0; i < rows.size() && i < most; ++i) names.push_back(rows[i].first);
    return names;
}

int main() {
    std::vector<Entry> entries;
    Entry entry;
    while (std::cin >> entry.client >> entry.path >> entry.status >> entry.bytes) entries.push_back(entry);

    std::map<std::string, long> sent_by_client, hits_by_folder;
    std::map<int, int> by_status;
    std::vector<std::string> paths;
    long errors = 0;
    for (auto e : entries) {
        sent_by_client[e.client] += e.bytes;
        hits_by_folder[folder_of(e.path)] += 1;
        by_status[e.status] += 1;
        if (is_error(e)) ++errors;
        if (std::find(paths.begin(), paths.end(), e.path) == paths.end()) paths.push_back(e.path);
    }
    for (auto& [status, count] : by_status) std::cout << status << ' ' << count << std::endl;
    for (auto& [folder, hits] : hits_by_folder) std::cout << folder << ' ' << hits << std::endl;
    for (const auto& name : busiest(sent_by_client, 10)) std::cout << name << ' ' << sent_by_client[name] << std::endl;
    std::cout << "requests " << entries.size() << " errors " << errors << " paths " << paths.size() << std::endl;
}
