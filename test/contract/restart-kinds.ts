/** One kind of server that is killed and started again on its data. */
export type RestartKind = {
  readonly title: string;
  /** The program and its parameters, with `{port}` and `{folder}`. */
  readonly words: readonly string[];
  /** The name of the one-node replica set to create first; null: none. */
  readonly replicaSet: string | null;
};

const REPLICA_SET = 'restarted';

/**
 * The kinds of servers that a command can be killed and restarted as. `command` is a JSON array of words, of which
 * one is `{folder}`; null, or a command without a folder, gives none. A `mongod` is run standalone and as a replica
 * set of one node, unless its words name a set. Any other program is run as its words say.
 */
export function restartKinds(command: string | null): readonly RestartKind[] {
  if (command === null || !command.includes('{folder}')) return [];
  const words = JSON.parse(command) as readonly string[];
  const kinds: RestartKind[] = [
    { title: 'MongoDB as read store, over a kill -9 of the server', words, replicaSet: null },
  ];
  const [program = ''] = words;
  if (/(^|\/)mongod$/.test(program) && !words.includes('--replSet'))
    kinds.push({
      title: 'MongoDB as read store, over a kill -9 of a replica set of one node',
      words: [...words, '--replSet', REPLICA_SET],
      replicaSet: REPLICA_SET,
    });
  return kinds;
}
