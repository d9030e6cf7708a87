/** The demo learner's fixed `uid`, shared by its account and its history. */
export const demoUid = 'demo-learner'
