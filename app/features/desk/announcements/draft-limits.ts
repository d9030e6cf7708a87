/** Of an announcement, in characters, and the most days that learners may not have come. */
export const draftLimits = { subject: 150, body: 20_000, days: 365 } as const
