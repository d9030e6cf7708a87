import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { secondsText } from '~/ui/duration-text'
import { Notice } from '~/ui/notice'
import { CourseSide, LessonsButton } from './course-side'
import { LessonActions } from './lesson-actions'
import { LessonDownloads } from './lesson-downloads'
import { PageLearner } from './lesson-form'
import { kindNames } from './lesson-icon'
import { LessonMaterial } from './lesson-material'
import type { LessonEntry, LessonFilm, LessonPageData } from './lesson-page-data'
import { NotesPanel } from './notes-panel'
import { SaveStatusText } from './report/save-status'
import { useStudyTime } from './report/use-study-time'
import type { Cue } from './transcript'
import { TranscriptPanel } from './transcript-panel'
import { useLessonVisit } from './use-lesson-visit'
import type { PlayerHandle } from './video-player'

export type LessonPageProps = {
  page: LessonPageData
  /** The article as safe HTML. */
  html: string | null
  film: LessonFilm | null
  cues: readonly Cue[]
  visit: { uid: string; openedAt: number; lengthMs: number; signature: string }
  /** Seconds to start at, when a link asks for it. */
  at: number | null
  /** The lesson became done, or is no longer. */
  onDone(lessonId: string, done: boolean): void
  onKeptTaken(): void
}

/** The screen of one lesson; mounted anew for another one. */
export function LessonPage({ page, html, film, cues, visit, at, onDone, onKeptTaken }: LessonPageProps) {
  const { course, sections, lesson, notes } = page
  const player = useRef<PlayerHandle>(null)
  const time = useRef(0)
  const [second, setSecond] = useState(0)
  const { reporter, clock, status, work, done } = useLessonVisit({ visit, courseId: course.id, lesson, onKeptTaken })
  useStudyTime(reporter, clock, player, lesson.kind !== 'announced')
  useEffect(() => onDone(lesson.id, done), [lesson.id, done, onDone])
  const lessons = sections.flatMap((section) => section.lessons)
  const seek = (seconds: number) => player.current?.seek(seconds)

  return (
    <PageLearner value={visit.uid}>
      <div className="column pt-5 lg:grid lg:grid-cols-[minmax(0,1fr)_21rem] lg:gap-x-10">
        <div className="min-w-0">
          <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-6 gap-y-1">
            <Link to={`/OneCourse/${course.id}`} className="font-semibold text-muted hover:text-ink hover:underline">
              {course.title}
            </Link>
            <span className="noscript:hidden">
              <SaveStatusText status={status} />
            </span>
          </div>
          <Notice look="warn" className="mt-2 hidden noscript:block">
            JavaScript is turned off. You can watch, read, take notes and add bookmarks, but your progress and answers
            won’t be saved.
          </Notice>
          {lesson.retired && (
            <Notice look="info" className="mt-2">
              This lesson is no longer part of the course. Your work is kept, but it doesn’t count toward your progress.
            </Notice>
          )}
          <h1 className="mt-1 text-2xl font-bold sm:text-3xl">{lesson.title}</h1>
          <div className="mt-1 mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
            <p className="text-muted">
              {[kindNames[lesson.kind], secondsText(lesson.durationSeconds), lesson.sectionTitle]
                .filter(Boolean)
                .join(' · ')}
            </p>
            <LessonsButton lessons={lessons} />
          </div>
          <LessonMaterial
            ref={player}
            courseId={course.id}
            lesson={lesson}
            html={html}
            film={film}
            work={work}
            done={done}
            at={at}
            next={neighbor(lessons, lesson.id, 1)}
            lessons={lessons}
            reporter={reporter}
            onTime={(seconds) => {
              time.current = seconds
              setSecond(Math.floor(seconds * 2) / 2)
            }}
          />
          <div className="mt-5 flex flex-col gap-5">
            <LessonActions
              courseId={course.id}
              previous={neighbor(lessons, lesson.id, -1)}
              next={neighbor(lessons, lesson.id, 1)}
              done={done}
              markable={lesson.kind === 'announced' ? undefined : lesson.kind !== 'article' || work.readToEnd}
              onMark={(mark) => reporter.recordMark(mark ? 'done' : 'undone')}
              bookmarked={lessons.some((entry) => entry.id === lesson.id && entry.bookmarked)}
            />
            <LessonDownloads courseId={course.id} lesson={lesson} />
            {cues.length > 0 && <TranscriptPanel cues={cues} time={second} onSeek={seek} />}
            <NotesPanel
              notes={notes}
              lessonId={lesson.id}
              former={lesson.former}
              courseId={course.id}
              timed={lesson.kind === 'video'}
              now={() => time.current}
              onSeek={seek}
            />
          </div>
        </div>
        <CourseSide course={course} openId={lesson.id} sections={sections} retired={page.retired} />
      </div>
    </PageLearner>
  )
}

/** The nearest lesson with material before (-1) or after (1) this one. */
function neighbor(lessons: readonly LessonEntry[], id: string, direction: 1 | -1): LessonEntry | null {
  const index = lessons.findIndex((lesson) => lesson.id === id)
  const side = direction === 1 ? lessons.slice(index + 1) : lessons.slice(0, Math.max(0, index)).reverse()
  return side.find((lesson) => lesson.kind !== 'announced') ?? null
}
