// Gives jobs to machines: the longest waiting job first, each to the machine that is free first.
#include <algorithm>
#include <iostream>
#include <map>
#include <string>
#include <vector>

struct Job {
    int ready = 0;
    int takes = 0;
    int rank = 0;
    std::string owner;
};

bool before(Job a, Job b) {
    if (a.rank != b.rank) return a.rank > b.rank;
    if (a.ready != b.ready) return a.ready < b.ready;
    return a.takes < b.takes;
}

int first_free(std::vector<long> free_at) {
    int best = 0;
    for (size_t i = 0; i < free_at.size(); ++i)
        if (free_at[i] < free_at[best]) best = static_cast<int>(i);
    return best;
}

int main() {
    int machines = 0;
    std::cin >> machines;
    std::vector<Job> waiting;
    Job job;
    while (std::cin >> job.ready >> job.takes >> job.rank >> job.owner) waiting.push_back(job);
    if (machines < 1) return 0;
    std::vector<long> free_at(machines, 0);
    std::map<std::string, long> waited;
    std::map<std::string, int> jobs;
    long last = 0;
    int number = 0;
    while (!waiting.empty()) {
        std::sort(waiting.begin(), waiting.end(), before);
        const Job next = waiting.front();
        waiting.erase(waiting.begin());
        const int machine = first_free(free_at);
        const long begin = std::max(free_at[machine], static_cast<long>(next.ready));
        free_at[machine] = begin + next.takes;
        last = std::max(last, free_at[machine]);
        waited[next.owner] += begin - next.ready;
        jobs[next.owner] += 1;
        std::cout << ++number << ' ' << machine << ' ' << begin << ' ' << next.owner << std::endl;
    }
    for (auto entry : waited) std::cout << entry.first << ' ' << jobs[entry.first] << ' ' << entry.second << std::endl;
    std::cout << "last " << last << std::endl;
}
