template <template <class...> class C, class... T> struct A : C<T...> { auto operator<=>(const A&) const = default; };
template <class T> requires requires(T t) { t.size(); } auto f(T&& t) -> decltype(auto) { return [&]<class U>(U u) { return t[u]; }; }
int main() { A<std::map, int, std::vector<std::map<int, int>>> a; co_await f(a)(1); }
