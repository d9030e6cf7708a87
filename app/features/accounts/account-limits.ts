/** Length limits of what a learner may type, in UTF-16 code units like `maxlength`. */
export const accountLimits = { name: 100, email: 254, phone: 40, location: 120 } as const
