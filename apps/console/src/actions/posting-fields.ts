import { workspacePage, type Given, type Values } from './action.js';

/** The page of the ledger, from which its actions begin. */
export const ledgerPage = (given: Given): string => workspacePage(given, 'ledger');

export const CREDITS = { name: 'credits', label: 'Credits', hint: 'At most six decimals: 12.5' } as const;

export const REASON = {
  name: 'reason',
  label: 'Reason',
  kind: 'long text',
  hint: 'Printed on the statement',
} as const;

export const EXPIRES_ON = {
  name: 'expires_at',
  label: 'Expires on',
  kind: 'date',
  isOptional: true,
  hint: 'At the beginning of this day (UTC); never when empty',
} as const;

export const PRIORITY = {
  name: 'priority',
  label: 'Priority',
  kind: 'number',
  isOptional: true,
  hint: '0 to 100, lower is spent first; 50 when empty',
} as const;

export const PROMOTIONAL = {
  name: 'promotional',
  label: 'Promotional',
  choices: ['yes', 'no'],
  isOptional: true,
} as const;

/** The submitted fields, with the choice of `promotional` as commands take it. */
export const withTerms = ({ promotional, ...values }: Values) => ({
  ...values,
  ...(promotional !== undefined && { promotional: promotional === 'yes' }),
});
