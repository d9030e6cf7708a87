/** In UTF-16 code units, like `maxlength`. */
export const noteLimits = { body: 5000 } as const
