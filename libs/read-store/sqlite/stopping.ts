/**
 * Tells a thread that it should end between two pieces of work. It is never ended by force: the driver ends the whole
 * process when the thread of one of its calls is taken away.
 */
export type Stopping = {
  /** What both threads look at. */
  readonly shared: SharedArrayBuffer;
  readonly stop: () => void;
};

export function stopping(): Stopping {
  const shared = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  return { shared, stop: () => void Atomics.store(new Int32Array(shared), 0, 1) };
}

/** On the thread that should end. */
export function isStopped(shared: SharedArrayBuffer): boolean {
  return Atomics.load(new Int32Array(shared), 0) === 1;
}
