// For each query point, the K nearest stations of a kind, with their distance on the globe.
//
// input: "S name kind latitude longitude" for stations, then "Q kind latitude longitude k" for queries
#include <algorithm>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

struct Station {
    std::string name;
    std::string kind;
    double latitude;
    double longitude;
};

const double PI = 3.14159265358979323846;

static double radians(double degrees) { return degrees * PI / 180.0; }

// haversine, kilometres
static double distance(double lat1, double lon1, double lat2, double lon2) {
    double dlat = std::sin(radians(lat2 - lat1) / 2);
    double dlon = std::sin(radians(lon2 - lon1) / 2);
    double a = std::pow(dlat, 2.0) + std::cos(radians(lat1)) * std::cos(radians(lat2)) * std::pow(dlon, 2.0);
    return 2 * 6371.0 * std::asin(std::sqrt(a));
}

static bool closer(std::pair<double, Station> a, std::pair<double, Station> b) {
    if (a.first != b.first) return a.first < b.first;
    return a.second.name < b.second.name;
}

static std::vector<Station> ofKind(std::vector<Station> stations, std::string kind) {
    std::vector<Station> result;
    for (auto station : stations)
        if (station.kind == kind) result.push_back(station);
    return result;
}

static std::vector<std::pair<double, Station>> nearest(std::vector<Station> stations, std::string kind, double latitude,
                                                       double longitude, int k) {
    std::vector<std::pair<double, Station>> ranked;
    for (auto station : ofKind(stations, kind))
        ranked.push_back(std::make_pair(distance(latitude, longitude, station.latitude, station.longitude), station));
    std::sort(ranked.begin(), ranked.end(), closer);
    if (static_cast<int>(ranked.size()) > k) ranked.resize(k);
    return ranked;
}

int main() {
    std::vector<Station> stations;
    std::string what;
    int queries = 0;
    double sum = 0;
    std::cout << std::fixed << std::setprecision(3);
    while (std::cin >> what) {
        if (what == "S") {
            Station station;
            std::cin >> station.name >> station.kind >> station.latitude >> station.longitude;
            stations.push_back(station);
        } else {
            std::string kind;
            double latitude, longitude;
            int k;
            std::cin >> kind >> latitude >> longitude >> k;
            queries++;
            std::cout << "query " << queries << " " << kind << ":";
            for (auto hit : nearest(stations, kind, latitude, longitude, k)) {
                std::cout << " " << hit.second.name << " " << hit.first;
                sum += hit.first;
            }
            std::cout << std::endl;
        }
    }
    std::cout << queries << " queries, " << sum << " km" << std::endl;
    return 0;
}
