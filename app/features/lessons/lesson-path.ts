import { createContext } from 'react'

/** What learners' lessons begin with. */
export const learnPath = '/Learn'

/** Before the course in the address of a lesson: a learner's own, or what staff look at. */
export const LessonPath = createContext(learnPath)
