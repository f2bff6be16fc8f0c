import { refusal } from '#kernel/values/refusal.js';

const destinationHoldsOtherSecrets = refusal({
  code: 'destination-holds-other-secrets',
  kind: 'conflicting',
  detail:
    'The destination holds a secret that the source does not hold, or holds differently. Nothing was written; copy into an empty store.',
});
const secretsDiffer = refusal({
  code: 'secrets-differ',
  kind: 'conflicting',
  detail:
    'The secrets read back from the destination differ from the source: one of the stores was written during the copy. Stop every service on both and start again.',
});

/** Secrets in their stored form, wrapped or not: they are moved without the key that unwraps them. */
export type KeptSecrets = {
  /** The stored texts by name. */
  readonly all: () => Promise<ReadonlyMap<string, string>>;
  /** Adds missing secrets durably. */
  readonly add: (secrets: ReadonlyMap<string, string>) => Promise<void>;
  readonly close: () => Promise<void>;
};

export type SecretsCopy = { readonly secrets: number; readonly alreadyThere: number };

/**
 * Copies the secrets into a store that is empty, or that an earlier run left unfinished, and reads them back. Throws
 * `destinationHoldsOtherSecrets`, before anything is written, and `secretsDiffer`.
 */
export async function copySecrets(source: KeptSecrets, destination: KeptSecrets): Promise<SecretsCopy> {
  const wanted = await source.all();
  const there = await destination.all();
  for (const [name, secret] of there)
    if (wanted.get(name) !== secret) throw destinationHoldsOtherSecrets({ members: { name } });
  await destination.add(new Map([...wanted].filter(([name]) => !there.has(name))));
  const copied = await destination.all();
  const now = await source.all();
  for (const name of new Set([...copied.keys(), ...now.keys()]))
    if (copied.get(name) !== now.get(name)) throw secretsDiffer({ members: { name } });
  return { secrets: copied.size, alreadyThere: there.size };
}
