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

/** A course of the account. `percent` is calculated by `courseProgressPercent`. */
export type EnrolledCourse = { id: string; percent: number; completed: boolean }

/** The lists are empty for a visitor, and until the session is known. */
type AccountCourses = {
  /** Undefined until the session is known, null for a visitor. */
  uid: string | null | undefined
  courses: readonly EnrolledCourse[]
  wishedCourseIds: readonly string[]
  /** Reads the account's courses again after a change. */
  refresh(): Promise<void>
}

type OwnCourses = AccountCourses & {
  /** Null in the server's HTML and until the page is hydrated. */
  enrollments: BrowserEnrollments | null
  enroll(courseId: string): void
  /** Leaves a course. Returns a sentence that says why that failed, or null. */
  leaveCourse(courseId: string): Promise<string | null>
}

const OwnCoursesContext = createContext<OwnCourses>({
  uid: undefined,
  courses: [],
  wishedCourseIds: [],
  enrollments: null,
  refresh: async () => {},
  enroll: () => {},
  leaveCourse: async () => null,
})

/** Returns the courses that the viewer has chosen, in the account or in this browser. */
export function useOwnCourses(): OwnCourses {
  return use(OwnCoursesContext)
}

type OwnCoursesProps = AccountCourses & {
  enrolledCourseIds: readonly string[]
  children: ReactNode
}

/** Keeps the viewer's courses in the account, in this browser and in other tabs in agreement. */
export function OwnCoursesProvider({
  uid,
  enrolledCourseIds,
  courses,
  wishedCourseIds,
  refresh,
  children,
}: OwnCoursesProps) {
  const { enrollments, update } = useBrowserEnrollments()

  useEffect(() => {
    if (uid !== undefined) {
      update((previous) => applySession(previous, uid, enrolledCourseIds))
    }
  }, [uid, enrolledCourseIds, update])

  useEffect(() => {
    return outbox.onResult(enrollmentChoices, ({ body: { courseId } }, { outcome, refusal }) => {
      if (outcome === 'delivered' || outcome === 'refused') {
        update((previous) => applyServerResponse(previous, courseId, refusal))
      }

      if (outcome === 'delivered') {
        void refresh()
      }

      return false
    })
  }, [update, refresh])

  const value = useMemo(() => {
    const enroll = (courseId: string) => {
      if (!enrollments || isEnrolled(enrollments, courseId)) {
        return
      }

      update((previous) => addWaitingCourse(previous, courseId))
      const { whenStored } = putEnrollmentIntoOutbox(uid ?? null, courseId)
      // A visitor's enrollment stays in the outbox until they sign in.
      if (uid) {
        void whenStored.then(() => outbox.send(enrollmentChoices, uid))
      }
    }

    const leaveCourse = async (courseId: string) => {
      const form = new URLSearchParams({ courseIds: courseId, leave: 'yes' })
      const result = await fetchJson<FormResult>(enrollmentsPath, form)
      if (!result?.done) {
        // The session may have ended.
        void refresh()
        return result?.errors.form ?? describeUnreachable()
      }

      update((previous) => removeLeftCourse(previous, courseId))
      void refresh()
      return null
    }

    return { uid, courses, wishedCourseIds, refresh, enrollments, enroll, leaveCourse }
  }, [uid, courses, wishedCourseIds, refresh, enrollments, update])

  return <OwnCoursesContext value={value}>{children}</OwnCoursesContext>
}

/** Reads and stores the enrollments of this browser and follows the changes of other tabs. */
function useBrowserEnrollments() {
  const [enrollments, setEnrollments] = useState<BrowserEnrollments | null>(null)
  const update = useCallback((change: (previous: BrowserEnrollments) => BrowserEnrollments) => {
    setEnrollments((previous) => previous && change(previous))
  }, [])

  useEffect(() => {
    setEnrollments(readEnrollments())

    return watchEnrollments((storedByOtherTab) =>
      setEnrollments((previous) => applyOtherTab(previous, storedByOtherTab)),
    )
  }, [])

  useEffect(() => {
    if (enrollments) {
      storeEnrollments(enrollments)
    }
  }, [enrollments])

  return { enrollments, update }
}

function putEnrollmentIntoOutbox(uid: string | null, courseId: string) {
  return outbox.put(enrollmentChoices, {
    key: `enrollment ${uid ?? ''} ${courseId}`,
    uid,
    body: { courseId },
  })
}
