// Seals a journal against later changes: each record's digest is stretched and depends on the digest
// of the record before it, so none can be altered, dropped or moved without the last digest showing it.
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

static const int STRETCH = 40000;

static std::uint64_t mix(std::uint64_t x) {
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 29;
    x *= 0xa0761d6478bd642fu;
    return x ^ (x >> 27);
}

static std::uint64_t absorb(std::uint64_t digest, const char *text, std::size_t length) {
    for (; length >= 8; text += 8, length -= 8) {
        std::uint64_t word;
        std::memcpy(&word, text, 8);
        digest = mix(digest ^ word);
    }
    std::uint64_t rest = length;
    std::memcpy(&rest, text, length);
    return mix(digest ^ rest ^ (static_cast<std::uint64_t>(length) << 56));
}

static std::vector<char> readAll() {
    std::vector<char> text;
    std::size_t used = 0;
    do {
        text.resize(used + (1u << 16));
        used += std::fread(text.data() + used, 1, 1u << 16, stdin);
    } while (used == text.size());
    text.resize(used);
    return text;
}

int main() {
    const std::vector<char> text = readAll();
    const char *here = text.data(), *end = here + text.size();
    std::uint64_t digest = 0x243f6a8885a308d3u;
    long records = 0, empty = 0;
    while (here < end) {
        const void *newline = std::memchr(here, '\n', static_cast<std::size_t>(end - here));
        const char *stop = newline ? static_cast<const char *>(newline) : end;
        if (stop == here) {
            empty++;
        } else {
            digest = absorb(digest, here, static_cast<std::size_t>(stop - here));
            for (int i = 0; i < STRETCH; i++) digest = mix(digest);
            std::printf("%016" PRIx64 " %.*s\n", digest, static_cast<int>(stop - here > 40 ? 40 : stop - here), here);
            records++;
        }
        here = stop + 1;
    }
    std::printf("%ld records, %ld empty, seal %016" PRIx64 "\n", records, empty, digest);
    return 0;
}
