/** Maximum lengths of typed text, in UTF-16 code units like `maxlength`. */
export const accountLimits = { name: 100, email: 254, phone: 40, location: 120 } as const

/** How many characters a password has, in UTF-16 code units like `maxlength`; every sentence about it is built from these. */
export const passwordLength = { min: 6, max: 200 } as const
