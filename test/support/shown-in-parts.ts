import type { ReadStore } from '#kernel/ports/read-store.port.js';

/**
 * A read store that shows one write in parts, as a server without transactions may: model by model and document by
 * document, with a pause after each. A checkpoint moves with the last document of its model.
 */
export function shownInParts(reads: ReadStore, pause: () => Promise<void>): ReadStore {
  const write: ReadStore['write'] = async (writes, fence) => {
    for (const { generation, documents, checkpoint } of writes) {
      const known = await reads.checkpoint(generation);
      const first = known === null ? [] : documents.slice(0, -1);
      for (const document of first) {
        await reads.write([{ generation, documents: [document], checkpoint: known ?? checkpoint }], fence);
        await pause();
      }
      await reads.write([{ generation, documents: documents.slice(first.length), checkpoint }], fence);
      await pause();
    }
  };
  return new Proxy(reads, {
    get: (target, name) => (name === 'write' ? write : Reflect.get(target, name, target)),
  });
}
