import { indexesOfView } from '#kernel/projections/view-indexes.js';
import { processes } from '#runtime/processes.js';
import { expectNone } from './expect-none.js';

/** Fields that a query gives values for, in any order, then the fields that it sorts by. */
type Wanted = readonly [equal: readonly string[], rest: readonly string[]];

/** Without such an index each look reads documents that it does not need. */
const lacking = processes.flatMap(({ name, toDo: { view, where, order, isOneAWorkspace } }) => {
  const indexes = indexesOfView(view);
  return where
    .flatMap((condition): readonly Wanted[] => {
      const equal = Object.keys(condition);
      const dueItems: Wanted = [equal, order];
      if (!isOneAWorkspace) return [dueItems];
      return [dueItems, [['workspaceId', ...equal], order], [equal, [...order.slice(0, 1), 'workspaceId']]];
    })
    .filter(
      ([equal, rest]) =>
        !indexes.some(
          ({ fields }) =>
            fields.slice(0, equal.length).toSorted().join() === equal.toSorted().join() &&
            fields.slice(equal.length).join() === rest.join(),
        ),
    )
    .map(([equal, rest]) => `${name}: ${[...equal, ...rest].join(', ')}`);
});

describe('the to-do of every process', () => {
  it('has the indexes from which due items and workspaces with due items are read', () => {
    expectNone(lacking, 'declare the index in the projection of the to-do');
  });
});
