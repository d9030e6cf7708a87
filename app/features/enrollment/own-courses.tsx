import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useMemo,
  useState,
} from 'react'
import { outbox } from '~/outbox/outbox'
import { describeUnreachable, fetchJson } from '~/ui/connection'
import type { FormResult } from '~/ui/form/form-result'
import {
  addWaitingCourse,
  applyOtherTab,
  applyServerResponse,
  applySession,
  type BrowserEnrollments,
  isEnrolled,
  readEnrollments,
  removeLeftCourse,
  storeEnrollments,
  watchEnrollments,
} from './browser-enrollments'
import { enrollmentChoices, enrollmentsPath } from './course-choices'

/** A course of the account; the percent is that of `course-progress.ts`. */
export type EnrolledCourse = { id: string; percent: number; completed: boolean }

type AccountCourses = {
  /** Undefined while the session is being determined, null for a visitor. */
  uid: string | null | undefined
  courses: readonly EnrolledCourse[]
  wished: readonly string[]
  /** Reads the account's courses again after a change. */
  refresh(): Promise<void>
}

type OwnCourses = AccountCourses & {
  /** Null in the server's HTML and until the page is hydrated. */
  enrollments: BrowserEnrollments | null
  enroll(courseId: string): void
  /** @returns the sentence that says why the course stays; null once it is left. */
  leave(courseId: string): Promise<string | null>
}

const OwnCoursesContext = createContext<OwnCourses>({
  uid: undefined,
  courses: [],
  wished: [],
  enrollments: null,
  refresh: async () => {},
  enroll: () => {},
  leave: async () => null,
})

/** The courses that the viewer has chosen, in the account or in this browser. */
export function useOwnCourses(): OwnCourses {
  return use(OwnCoursesContext)
}

type OwnCoursesProps = AccountCourses & {
  /** Ids of the account's courses; null while they can't be known. */
  enrolled: readonly string[] | null
  children: ReactNode
}

export function OwnCoursesProvider({
  uid,
  enrolled,
  courses,
  wished,
  refresh,
  children,
}: OwnCoursesProps) {
  const [enrollments, setEnrollments] = useState<BrowserEnrollments | null>(null)
  const change = useCallback((next: (before: BrowserEnrollments) => BrowserEnrollments) => {
    setEnrollments((before) => before && next(before))
  }, [])

  useEffect(() => {
    setEnrollments(readEnrollments())

    return watchEnrollments((ofOtherTab) =>
      setEnrollments((before) => applyOtherTab(before, ofOtherTab)),
    )
  }, [])

  useEffect(() => {
    if (enrollments) {
      storeEnrollments(enrollments)
    }
  }, [enrollments])

  useEffect(() => {
    if (uid !== undefined && enrolled) {
      change((before) => applySession(before, uid, enrolled))
    }
  }, [uid, enrolled, change])

  useEffect(() => {
    return outbox.listen(enrollmentChoices, ({ body: { courseId } }, { outcome, refusal }) => {
      if (outcome === 'delivered' || outcome === 'refused') {
        change((before) => applyServerResponse(before, courseId, refusal))
      }

      if (outcome === 'delivered') {
        void refresh()
      }

      return false
    })
  }, [change, refresh])

  const value = useMemo(() => {
    const enroll = (courseId: string) => {
      if (!enrollments || isEnrolled(enrollments, courseId)) {
        return
      }

      change((before) => addWaitingCourse(before, courseId))
      const { stored } = putChoice(uid ?? null, courseId)
      // Without an account it waits for one.
      if (uid) {
        void stored.then(() => outbox.send(enrollmentChoices, uid))
      }
    }
    const leave = async (courseId: string) => {
      const form = new URLSearchParams({ courseIds: courseId, leave: 'yes' })
      const answer = await fetchJson<FormResult>(enrollmentsPath, form)
      if (!answer?.done) {
        return answer?.errors.form ?? describeUnreachable()
      }

      change((before) => removeLeftCourse(before, courseId))
      void refresh()

      return null
    }

    return { uid, courses, wished, refresh, enrollments, enroll, leave }
  }, [uid, courses, wished, refresh, enrollments, change])

  return <OwnCoursesContext value={value}>{children}</OwnCoursesContext>
}

function putChoice(uid: string | null, courseId: string) {
  return outbox.put(enrollmentChoices, {
    key: `enrollment ${uid ?? ''} ${courseId}`,
    uid,
    body: { courseId },
  })
}
