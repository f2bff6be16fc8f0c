/** A part of what an operator command answers: JSON, of which a page shows some members. */
export type AnswerPart = { readonly [member: string]: unknown };

const isAnswer = (value: unknown): value is AnswerPart =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object under this path of names; an empty one where there is none. */
export const partOf = (answer: unknown, ...path: readonly string[]): AnswerPart => {
  const found = path.reduce<unknown>((at, name) => (isAnswer(at) ? at[name] : undefined), answer);
  return isAnswer(found) ? found : {};
};

/** The objects of the list under this name. */
export const rowsOf = (answer: unknown, name: string): readonly AnswerPart[] => {
  const rows = isAnswer(answer) ? answer[name] : undefined;
  return Array.isArray(rows) ? rows.filter(isAnswer) : [];
};

/** What is shown of a member: texts, numbers, yes and no; `-` for nothing. */
export function shown(answer: AnswerPart, name: string): string {
  const value = answer[name];
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '-';
}

/** A whole number; 0 where the member is none. */
export const numberOf = (answer: AnswerPart, name: string): number => Number(answer[name] ?? 0);
