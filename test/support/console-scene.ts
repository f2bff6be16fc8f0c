import { signedIn, type ConsoleVisitor } from './console-visitor.js';
import { late } from './late.js';
import type { Scene } from './scene.js';

/** A browser in which the first operator has signed in, for all cases of this `describe`. */
export const operatorOf = (of: Scene): ConsoleVisitor => sharedVisitor(of, async () => of.token);

/** A browser in which `maria` has signed in, whom this adds with the role finance. */
export const financeOf = (of: Scene): ConsoleVisitor => sharedVisitor(of, () => addedMaria(of));

/** Adds the operator `maria` of the role finance; returns her token. */
export const addedMaria = async ({ ops }: Pick<Scene, 'ops'>): Promise<string> =>
  (await ops('operator.add', { name: 'maria', role: 'finance' })).body.token;

/** The holder of a token signs in where this is declared: after every earlier `beforeAll`. */
export function sharedVisitor(of: Scene, token: () => Promise<string>): ConsoleVisitor {
  let visitor: ConsoleVisitor | undefined;
  beforeAll(async () => {
    visitor = await signedIn(of, await token());
  });
  return late('the visitor', () => visitor);
}
