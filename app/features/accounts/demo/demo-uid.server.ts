/** The demo learner's fixed `uid`, by which its account and its history are one. */
export const demoUid = 'demo-learner'
