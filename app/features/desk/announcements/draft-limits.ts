/** The longest subject and body, in characters, and the most days for learners who haven't come. */
export const draftLimits = { subject: 150, body: 20_000, days: 365 } as const
