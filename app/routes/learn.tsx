import { useCallback, useEffect, useMemo, useState } from 'react'
import {
  data,
  isRouteErrorResponse,
  redirect,
  type ShouldRevalidateFunctionArgs,
  useRevalidator,
  useRouteError,
  useSearchParams,
} from 'react-router'
import { useAuth } from '~/features/accounts/auth-provider'
import { progressFigures } from '~/features/learning/course-work/progress-explanation'
import { completeCourseWithoutReport, issueWaitingCertificates } from '~/features/learning/finished-work.server'
import type { LearnRefusal } from '~/features/learning/lesson/learn-notice'
import { changeLesson } from '~/features/learning/lesson/lesson-action.server'
import { signArticleMedia, signFilm } from '~/features/learning/lesson/lesson-media.server'
import { LessonNotFound } from '~/features/learning/lesson/lesson-not-found'
import { LessonPage } from '~/features/learning/lesson/lesson-page'
import {
  findCourseAccess,
  findLessonPage,
  findLessonToContinue,
} from '~/features/learning/lesson/lesson-queries.server'
import { renderArticle } from '~/features/learning/lesson/markdown.server'
import { noteChoiceOf } from '~/features/learning/lesson/note-form'
import proseStyle from '~/features/learning/lesson/prose-text.css?url'
import { openVisit } from '~/features/learning/lesson/report/lesson-report.server'
import { readTranscript } from '~/features/learning/lesson/transcript-file.server'
import { demoRefusal } from '~/server/auth/shared-demo.server'
import { findMoved } from '~/server/content/content-addresses.server'
import { db } from '~/server/database/client.server'
import { readForm } from '~/server/request-body.server'
import { findLearner } from '~/server/session.server'
import { answerOr } from '~/ui/connection'
import { pageMeta } from '~/ui/page-meta'
import type { Route } from './+types/learn'

export const links = () => [{ rel: 'stylesheet', href: proseStyle }]

export function meta({ loaderData, matches }: Route.MetaArgs) {
  const title = loaderData ? `${loaderData.page.lesson.title} · ${loaderData.page.course.title}` : 'Lesson not found'
  const path = loaderData ? `/Learn/${loaderData.page.course.id}/${loaderData.page.lesson.id}` : null
  return pageMeta({ title, description: 'A lesson of Learnify.', path, matches })
}

export async function loader({ request, params }: Route.LoaderArgs) {
  const { course: courseId, lesson: lessonId } = params
  const learner = await findLearner(request)
  if (!learner) throw await responseWithoutLesson(null, courseId)
  const { uid } = learner
  if (!lessonId) {
    const next = await findLessonToContinue(db, uid, courseId)
    throw next ? redirect(`/Learn/${courseId}/${next}`) : await responseWithoutLesson(uid, courseId)
  }
  const choice = noteChoiceOf(new URL(request.url).searchParams)
  const found = await findLessonPage(db, { uid, courseId, lessonId }, choice)
  if (!found) throw await responseWithoutLesson(uid, courseId, lessonId)
  const { page, article } = found
  const now = new Date()
  // The address may have been confirmed since; the next look at the page then has the certificate.
  if (page.course.certificateWaits) await issueWaitingCertificates(db, now, uid)
  const { percent } = progressFigures(page.sections.flatMap((section) => section.lessons))
  if (percent === 100 && !page.course.completedAt) await completeCourseWithoutReport(db, uid, courseId, now)
  return {
    page,
    html: article === null ? null : await signArticleMedia(renderArticle(article), now),
    film: page.lesson.video ? await signFilm(page.lesson.video, now) : null,
    cues: page.lesson.video ? await readTranscript(page.lesson.video) : [],
    visit: await openVisit({ uid, courseId, lessonId }, page.lesson.durationSeconds * 1000, now),
  }
}

/** For those who may not, or cannot, see a lesson. */
async function responseWithoutLesson(uid: string | null, courseId: string, lessonId?: string) {
  const moved = await findMoved(db, courseId, lessonId)
  if (moved) return redirect(['/Learn', moved.courseId, moved.lessonId].filter(Boolean).join('/'), 301)
  const access = await findCourseAccess(db, uid, courseId)
  if (!access || (!access.published && !access.enrolled)) return data('No course has this address.', { status: 404 })
  const to = (why: LearnRefusal) => redirect(`/OneCourse/${courseId}?why=${why}`)
  if (uid === null) return to('sign-in')
  if (!access.enrolled) return to('enroll')
  const anyLesson = await findLessonToContinue(db, uid, courseId)
  return anyLesson ? data('No lesson has this address.', { status: 404 }) : to('no-material')
}

export async function action({ request, params }: Route.ActionArgs) {
  const form = await readForm(request)
  const learner = await findLearner(request)
  const refused = learner && form.get('intent') === 'note' ? demoRefusal(learner.uid, 'note') : null
  if (refused) return data({ ok: false as const, status: 403, message: refused }, { status: 403 })
  const opened = { courseId: params.course, lessonId: params.lesson ?? '' }
  const place = (await findMoved(db, opened.courseId, opened.lessonId)) ?? opened
  const result = await changeLesson(db, learner?.uid ?? null, place, form)
  return data(result, { status: result.ok ? 200 : result.status })
}

/** Without a connection the lesson goes on, and what was typed stays. */
export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return answerOr(serverAction, (message) => ({ ok: false, status: 0, message }))
}

export function shouldRevalidate({ actionResult, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return actionResult?.ok !== false && defaultShouldRevalidate
}

export default function LearnRoute({ loaderData }: Route.ComponentProps) {
  const { page, html, film, cues, visit } = loaderData
  const [changed, setChanged] = useState<Record<string, boolean>>({})
  const { revalidate } = useRevalidator()
  const [search] = useSearchParams()
  /** Of this learner's course: what another one did who was here before is no word about it. */
  const owner = `${visit.uid}/${page.course.id}`
  const { user, refresh } = useAuth()
  const otherLearner = user !== null && user.uid !== visit.uid
  useEffect(() => {
    // Somebody else signed in, in another tab: the page is theirs, and the header follows.
    if (otherLearner) void refresh()
  }, [otherLearner, refresh])
  const onDone = useCallback(
    (lessonId: string, done: boolean) => {
      const key = `${owner}/${lessonId}`
      setChanged((before) => (before[key] === done ? before : { ...before, [key]: done }))
    },
    [owner],
  )
  const onKeptTaken = useCallback(() => void revalidate(), [revalidate])
  // What just happened here shows at once, also while the last report is still under way.
  const current = useMemo(() => {
    const sections = page.sections.map((section) => ({
      ...section,
      lessons: section.lessons.map((lesson) => ({
        ...lesson,
        done: changed[`${owner}/${lesson.id}`] ?? lesson.done,
      })),
    }))
    return { ...page, sections }
  }, [page, owner, changed])
  return (
    <LessonPage
      key={`${owner}/${page.lesson.id}`}
      page={current}
      html={html}
      film={film}
      cues={cues}
      visit={visit}
      at={secondsOf(search.get('at'))}
      onDone={onDone}
      onKeptTaken={onKeptTaken}
    />
  )
}

/** A note's place in the address. */
function secondsOf(text: string | null): number | null {
  const seconds = Number(text)
  return text !== null && Number.isFinite(seconds) && seconds >= 0 ? seconds : null
}

export function ErrorBoundary() {
  const error = useRouteError()
  if (isRouteErrorResponse(error) && error.status === 404) return <LessonNotFound />
  throw error
}
