#include <cstdio>
#include <vector>

struct Answer {
  long primes;
  int champion;
  int divisors;
  long sum;
};

/* the work */
static bool isPrime(int n) {
  if (n < 2) return false;
  for (int d = 2; static_cast<long>(d) * d <= n; d++) {
    if (n % d == 0) return false;
  }
  return true;  // as before
}

/* the work */
static std::vector<int> divisorsOf(int n) {
  std::vector<int> result;
  for (int d = 1; static_cast<long>(d) * d <= n; d++) {
    if (n % d == 0) {
      result.push_back(d);
      if (d != n / d) result.push_back(n / d);
    }
  }
  return result;
}

/* the work */
static Answer inspect(int first, int last) {
  Answer answer = {0, first, 0, 0};
  for (int n = first; n <= last; n++) {
    if (isPrime(n)) answer.primes++;
    std::vector<int> divisors = divisorsOf(n);  // as before
    long sum = 0;
    for (int d : divisors) sum += d;
    answer.sum += sum;
    if (static_cast<int>(divisors.size()) > answer.divisors) {
      answer.divisors = static_cast<int>(divisors.size());
      answer.champion = n;  // as before
    }
  }
  return answer;
}

/* the work */
int main() {
  int first, last;
  while (std::scanf("%d %d", &first, &last) == 2) {
    if (first < 1 || last < first || last > 10000000) {
      std::printf("bad range\n");
      continue;
    }
    Answer answer = inspect(first, last);
    std::printf("%d..%d: %ld primes, %d has %d divisors, sum %ld\n", first, last, answer.primes, answer.champion,
          answer.divisors, answer.sum);
  }
  return 0;
}
