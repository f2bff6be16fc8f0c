import { MongoClient, type CommandStartedEvent } from 'mongodb';

/** A command that a client of this process sent to its server. */
export type MongoCommand = {
  readonly name: string;
  readonly collection: string;
  /** The beginning of the command, for people. */
  readonly text: string;
};

export type MongoCommands = {
  /** All commands so far, in the order of sending. */
  readonly seen: () => readonly MongoCommand[];
  readonly end: () => void;
};

const QUERIES: ReadonlySet<string> = new Set(['find', 'aggregate', 'getMore', 'count', 'distinct']);
const SHOWN_CHARACTERS = 200;

export const isQuery = ({ name }: MongoCommand): boolean => QUERIES.has(name);
export const isUpdate = ({ name }: MongoCommand): boolean => name === 'update' || name === 'findAndModify';

/** Watches every client of this process whose connection string says `monitorCommands=true`. */
export function watchedMongoCommands(): MongoCommands {
  const seen: MongoCommand[] = [];
  // The driver declares the events of a client one by one; here all of them are passed on.
  const clients = MongoClient.prototype as unknown as { emit: (...event: unknown[]) => boolean };
  const emitBefore = clients.emit;
  const emit = jest.spyOn(clients, 'emit').mockImplementation(function (this: unknown, ...event) {
    const [name, started] = event;
    if (name === 'commandStarted') seen.push(commandOf(started as CommandStartedEvent));
    return emitBefore.apply(this, event);
  });
  return { seen: () => seen, end: () => emit.mockRestore() };
}

function commandOf({ commandName, command }: CommandStartedEvent): MongoCommand {
  return {
    name: commandName,
    collection: String(command[commandName]),
    text: JSON.stringify(command).slice(0, SHOWN_CHARACTERS),
  };
}
