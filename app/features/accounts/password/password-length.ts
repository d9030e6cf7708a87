/** How many characters a password has, in UTF-16 code units like `maxlength`; every sentence about it is built from these. */
export const passwordLength = { min: 6, max: 200 } as const
