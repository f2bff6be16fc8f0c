import type { Done, DoneElsewhere } from './page-answers.js';

/** The result of a form: its page, and the redirect that says it again without a secret. */
export type SentForm = { readonly page: Done; readonly again: DoneElsewhere };

/** After this time the same form is answered without the secret that its page showed. */
const SECRET_MS = 60_000;
const MOST_FORMS = 1_000;

/**
 * The results of the forms of this process, in memory as its sessions are. A form that is sent twice, by a double click
 * or a reload, is executed once: a browser shows only the last answer, so that the second one is that of the first. If
 * there are too many, the oldest result is forgotten. `nowMs` is real time.
 */
export function createSentForms(nowMs: () => number) {
  const sent = new Map<string, { readonly result: Promise<SentForm>; readonly atMs: number }>();
  return {
    /** The answer to a form that was sent before; null for a new one, and for one that was refused. */
    async find(form: string): Promise<Done | null> {
      const known = sent.get(form);
      if (known === undefined) return null;
      const { page, again } = await known.result;
      return nowMs() - known.atMs < SECRET_MS ? page : again;
    },
    /** The result of a form that was sent before, without a secret; null for a new one, and for one that was refused. */
    resultOf: async (form: string): Promise<DoneElsewhere | null> =>
      (await sent.get(form)?.result)?.again ?? null,
    /** Executes a form, unless it is executed already. A form that is refused can be sent again. */
    async once(form: string, execute: () => Promise<SentForm>): Promise<Done> {
      // No wait between the question and the execution: two clicks arrive together.
      if (sent.has(form)) return (await this.find(form)) ?? this.once(form, execute);
      const result = execute();
      sent.set(form, { result, atMs: nowMs() });
      const [oldest] = sent.keys();
      if (sent.size > MOST_FORMS && oldest !== undefined) sent.delete(oldest);
      try {
        return (await result).page;
      } catch (error) {
        sent.delete(form);
        throw error;
      }
    },
  };
}
