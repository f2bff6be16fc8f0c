/** The weights of a field like Accept or Accept-Encoding by name in lower case, in the order of the field (RFC 9110, 12.4.2). */
export const weightsIn = (field: string): ReadonlyMap<string, number> =>
  new Map(
    field.split(',').map((each) => {
      const [name = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith('q='));
      return [name, weight === undefined ? 1 : Number(weight.slice(2))] as const;
    }),
  );
