import { problemTypes } from './problem.js';

/** Texts before and beside the operations, in Markdown. */
export type Guides = {
  /** Must end with the part about errors: the list of problem types follows it. */
  readonly description: string;
  readonly after: string;
  /** Tags by group, each with a description of its operations. */
  readonly groups: { readonly [group: string]: { readonly [tag: string]: string } };
};

/** The description of the document: the guides with a link for each type of problem. */
export function describedBy({ description, after }: Guides): string {
  const types = Object.entries(problemTypes).map(
    ([slug, { title, meaning }]) => `- [${slug}](/errors/${slug}): ${title}. ${meaning}`,
  );
  return [description.trim(), types.join('\n'), after.trim()].join('\n\n');
}

/** The tags that a document uses, in the order of their groups, and the groups with at least one of them. */
export function taggedBy({ groups }: Guides, used: ReadonlySet<string>) {
  const described = Object.values(groups).flatMap((tags) => Object.entries(tags));
  const known = described
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }));
  const unknown = [...used].filter((name) => !known.some((tag) => tag.name === name)).sort();
  return {
    tags: [...known, ...unknown.map((name) => ({ name }))],
    'x-tagGroups': Object.entries(groups)
      .map(([name, tags]) => ({ name, tags: Object.keys(tags).filter((tag) => used.has(tag)) }))
      .filter(({ tags }) => tags.length > 0),
  };
}
