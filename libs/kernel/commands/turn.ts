import type { JsonObject, JsonValue } from '../values/json.js';

declare const turn: unique symbol;
/** A value that changes in place: it is read synchronously and differs afterwards. */
type InTurn = { readonly [turn]: true };

type Primitive = string | number | bigint | boolean | symbol | null | undefined | void;
type Callable = (...parameters: never) => unknown;
type Collection = ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>;

type IsSame<Left, Right> =
  (<T>() => T extends Left ? 1 : 2) extends <T>() => T extends Right ? 1 : 2 ? true : false;

/** The members that can be assigned; `never` if all are readonly. */
type Assignable<T> = {
  [Member in keyof T]-?: IsSame<Pick<T, Member>, Readonly<Pick<T, Member>>> extends true ? never : Member;
}[keyof T];

/** Marks every part of a state that is declared to change in place. */
type Marked<T> = T extends Primitive | Callable | Collection
  ? T
  : JsonObject extends T
    ? T
    : T extends unknown[]
      ? T & InTurn
      : T extends readonly unknown[]
        ? T
        : [Assignable<T>] extends [never]
          ? { readonly [Member in keyof T]: Marked<T[Member]> }
          : { [Member in keyof T]: Marked<T[Member]> } & InTurn;

/** A state in memory as a reader sees it while it runs. */
export type Live<State> = Marked<State> & InTurn;

/** The parts of a type that must not leave a synchronous read; `never` for plain data. */
type Staying<T> = T extends Primitive
  ? never
  : T extends InTurn | Callable
    ? T
    : JsonObject extends T
      ? never
      : readonly JsonValue[] extends T
        ? never
        : T extends readonly (infer Item)[]
          ? Staying<Item>
          : { [Member in keyof T]-?: Staying<T[Member]> }[keyof T];

/**
 * What a read may return: plain data. For anything else (the state itself, mutable parts of it, maps and sets,
 * promises, functions) the type is an error text.
 */
export type Leaving<T> = [Staying<T>] extends [never] ? unknown : 'only plain data leaves a turn';

/** Reads the needed facts of a state synchronously. */
export type Read<State, Result> = (state: Live<State>) => Result & Leaving<Result>;

/** Checks the result of a read at run time, where types were bypassed. Throws for a promise and for the state. */
export function requirePlain(answer: unknown, state: unknown): unknown {
  if (typeof answer !== 'object' || answer === null) return answer;
  if (answer === state)
    throw new Error('a state in memory does not leave its turn: read what is needed of it');
  if ('then' in answer) throw new Error('a read of a state waits for nothing');
  return answer;
}
