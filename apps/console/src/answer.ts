/** A part of the answer of an operator command: JSON, of which a page shows some members. */
export type AnswerPart = { readonly [member: string]: unknown };

const isAnswer = (value: unknown): value is AnswerPart =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object at this path of names; an empty one if there is none. */
export const partOf = (answer: unknown, ...path: readonly string[]): AnswerPart => {
  const found = path.reduce<unknown>((at, name) => (isAnswer(at) ? at[name] : undefined), answer);
  return isAnswer(found) ? found : {};
};

/** The objects of the list with this name. */
export const rowsOf = (answer: unknown, name: string): readonly AnswerPart[] => {
  const rows = isAnswer(answer) ? answer[name] : undefined;
  return Array.isArray(rows) ? rows.filter(isAnswer) : [];
};

/** The text of a member: texts, numbers, yes and no; `-` for a missing value. */
export function shown(answer: AnswerPart, name: string): string {
  const value = answer[name];
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '-';
}

/** The texts of these members, as cells of a row. */
export const cells = (answer: AnswerPart, ...names: readonly string[]): readonly string[] =>
  names.map((name) => shown(answer, name));

/** A whole number; 0 if the member is not a number. */
export const numberOf = (answer: AnswerPart, name: string): number => Number(answer[name] ?? 0);
