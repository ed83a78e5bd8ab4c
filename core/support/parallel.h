// Work shared between threads in blocks. Each index is handled exactly once and writes only its own
// results, so that nothing depends on the number of threads or on who came first.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace understudy {

// Calls work(begin, end) on blocks that cover [0, count), each thread with its own Worker made by make().
template <class MakeWorker>
void parallel_blocks(std::size_t count, unsigned threads, std::size_t block, MakeWorker&& make) {
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex failure_lock;

  auto run = [&] {
    try {
      auto work = make();
      for (;;) {
        const std::size_t begin = next.fetch_add(block);
        if (begin >= count) return;
        work(begin, std::min(begin + block, count));
      }
    } catch (...) {
      const std::lock_guard<std::mutex> guard(failure_lock);
      if (!failure) failure = std::current_exception();
      next.store(count);
    }
  };

  const std::size_t useful = std::max<std::size_t>(1, (count + block - 1) / block);
  const std::size_t helpers = std::min<std::size_t>(std::max(threads, 1U), useful) - 1;
  std::vector<std::thread> pool;
  pool.reserve(helpers);
  try {
    while (pool.size() < helpers) pool.emplace_back(run);
  } catch (const std::exception&) {
    // The system has no room for another thread: those that there are do the work.
  }
  run();
  for (auto& thread : pool) thread.join();
  if (failure) std::rethrow_exception(failure);
}

// The smallest of some indices below `count`, whichever thread finds it.
class FirstOf {
 public:
  explicit FirstOf(std::size_t count) : count_(count), first_(count) {}

  void add(std::size_t index) {
    std::size_t seen = first_.load();
    while (index < seen && !first_.compare_exchange_weak(seen, index)) {
    }
  }
  std::optional<std::size_t> found() const {
    return first_.load() == count_ ? std::nullopt : std::optional<std::size_t>(first_.load());
  }

 private:
  const std::size_t count_;
  std::atomic<std::size_t> first_;
};

}  // namespace understudy
