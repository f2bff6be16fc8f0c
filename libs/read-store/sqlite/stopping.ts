/**
 * Asks a thread to end between two pieces of work. A thread is never terminated by force: the driver ends the whole
 * process if the thread of one of its calls disappears.
 */
export type Stopping = {
  /** The memory shared by both threads. */
  readonly shared: SharedArrayBuffer;
  readonly stop: () => void;
};

export function stopping(): Stopping {
  const shared = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  return { shared, stop: () => void Atomics.store(new Int32Array(shared), 0, 1) };
}

/** For the thread that should end. */
export function isStopped(shared: SharedArrayBuffer): boolean {
  return Atomics.load(new Int32Array(shared), 0) === 1;
}
