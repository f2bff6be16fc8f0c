import { SOMETHING_VISIBLE } from '#kernel/values/blank-text.js';
import { Id, Type, type TSchema } from '#kernel/values/schema.js';

/** The schema with the text of the field in `--help`. */
export const described = <Schema extends TSchema>(description: string, schema: Schema): Schema => ({
  ...schema,
  description,
});

/** A text for readers (a name, a reason, a label): it has a visible character. */
export const visibleText = (maxLength: number) =>
  Type.String({ minLength: 1, maxLength, pattern: SOMETHING_VISIBLE });

/** Why an operator runs the command; stored in the event. */
export const Reason = visibleText(1_000);

/** Above this limit two ids may be the same number. */
const GivenId = { ...Id, maximum: Number.MAX_SAFE_INTEGER };

/** Fields that mean the same in every command. */
export const WorkspaceId = described('id of the workspace', GivenId);
export const MovementId = described('id of the movement', GivenId);
export const PartnerId = described('id of the partner who pays', GivenId);
export const RunId = described('id of the run', GivenId);

/** The key of a call: makes a repetition after a lost answer safe. */
export const CallKey = described(
  'key of this call: a repetition with the same key and input changes nothing',
  Type.String({ minLength: 1, maxLength: 255 }),
);
