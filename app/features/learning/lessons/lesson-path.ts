import { createContext } from 'react'

/** The beginning of lesson addresses, for learners. */
export const learnPath = '/Learn'

/** The beginning of lesson addresses on this page. Staff have another one, for the preview. */
export const LessonPath = createContext(learnPath)
