import { Id, type TSchema } from '#kernel/values/schema.js';

/** The same schema with what `--help` says of the field. */
export const described = <Schema extends TSchema>(description: string, schema: Schema): Schema => ({
  ...schema,
  description,
});

/** Beyond it two numbers would be one id. */
const GivenId = { ...Id, maximum: Number.MAX_SAFE_INTEGER };

/** Fields that mean the same in every command. */
export const WorkspaceId = described('id of the workspace', GivenId);
export const MovementId = described('id of the movement', GivenId);
export const PartnerId = described('id of the partner who pays', GivenId);
export const RunId = described('id of the run', GivenId);
