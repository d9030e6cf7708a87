import { Check } from 'lucide-react'
import { type ComponentProps, memo, type ReactNode, type Ref, useCallback, useEffect, useRef, useState } from 'react'
import { isLessonEarned, type LessonWork } from '~/features/progress/lesson-work'
import { CelebrationCard } from '~/ui/celebration-card'
import { useOnline } from '~/ui/connection'
import { Notice } from '~/ui/notice'
import type { RenderedArticle } from './article/markdown.server'
import { CourseSide } from './course-side'
import { LessonActions } from './lesson-actions'
import { LessonBar } from './lesson-bar'
import { LessonDownloads } from './lesson-downloads'
import { PageLearner } from './lesson-form'
import { LessonMaterial } from './lesson-material'
import { certificateNeeds, lessonOffline, lessonRetired, nextStepNotice, withoutScripts } from './lesson-messages'
import type { LessonPageData, SectionEntry, VideoFiles } from './lesson-page-data'
import { LessonTabs } from './lesson-tabs'
import type { NextStep } from './next-step'
import { neighbor, nextStep } from './next-step'
import { NotesPanel } from './notes/notes-panel'
import { useLessonVisit, useStudyTime } from './report/use-lesson-visit'
import type { Cue } from './video/transcript'
import { createPlaybackTime, type PlaybackTime, TranscriptPanel } from './video/transcript-panel'
import type { PlayerHandle } from './video/video-player'

export type LessonPageProps = {
  page: LessonPageData
  article: RenderedArticle | null
  files: VideoFiles | null
  cues: readonly Cue[]
  visit: { uid: string; openedAt: number; lengthMs: number; signature: string }
  /** Seconds to start at, when a link asks for it. */
  at: number | null
  /** The video plays by itself, because the learner came by a link to it. */
  plays: boolean
  /** The address asks for a page of the notes. */
  notesAsked: boolean
  heading: Ref<HTMLHeadingElement>
  /** The way back to the course's exam, while it runs. */
  exam: ReactNode
  /** The lesson became done, or is no longer. */
  onDone(lessonId: string, done: boolean): void
}

/** The screen of one lesson; mounted anew for another one. */
export function LessonPage(props: LessonPageProps) {
  const { page, article, files, cues, visit, at, plays, heading, onDone } = props
  const { course, sections, lesson } = page
  const player = useRef<PlayerHandle>(null)
  const [time] = useState(createPlaybackTime)
  const onSeek = useCallback((to: number) => player.current?.seek(to), [])
  const { reporter, clock, status, work, done } = useLessonVisit({ visit, courseId: course.id, lesson })
  useStudyTime(reporter, clock, player, lesson.kind !== 'announced')
  useEffect(() => onDone(lesson.id, done), [lesson.id, done, onDone])
  const [doneBefore] = useState(done)
  const lessons = sections.flatMap((section) => section.lessons)
  const step = nextStep(lessons, lesson.id, course)
  const earned = isEarned(lesson, work)
  const finishedHere = done && !doneBefore && (lesson.kind === 'article' || earned)
  // Without a mark it was earned before, perhaps with other material.
  const certified = earned || lesson.retired || (done && !work.mark)

  return (
    <PageLearner value={visit.uid}>
      <div className="lg:grid lg:grid-cols-[minmax(0,1fr)_22rem] lg:grid-rows-[auto_auto_1fr] lg:in-data-[side=none]:grid-cols-[minmax(0,1fr)]">
        <LessonBar
          page={page}
          lessons={lessons}
          status={status}
          heading={heading}
          hasTranscript={cues.length > 0}
          exam={props.exam}
        />
        <div className="min-w-0 lg:col-start-1">
          <LessonNotices retired={lesson.retired} />
          <LessonMaterial
            ref={player}
            courseId={course.id}
            lesson={lesson}
            article={article}
            files={files}
            work={work}
            done={done}
            at={at}
            plays={plays}
            step={step}
            lessons={lessons}
            reporter={reporter}
            onTime={time.tell}
          />
        </div>
        <BelowLesson
          page={page}
          lessons={lessons}
          step={step}
          ending={finishedHere}
          done={done}
          certified={certified}
          onMark={(mark) => reporter.recordMark(mark)}
        />
        <Tools {...props} time={time} onSeek={onSeek} />
        <CourseSide course={course} openId={lesson.id} sections={sections} retired={page.retired} />
      </div>
    </PageLearner>
  )
}

/** One that was only marked as done is not celebrated. */
function isEarned(lesson: LessonPageData['lesson'], work: LessonWork): boolean {
  return isLessonEarned({ ...lesson, questionIds: lesson.questions.map(({ id }) => id) }, work)
}

/** Below the lesson, at a readable line length. */
const beside = 'mx-auto w-full min-w-0 max-w-4xl px-[clamp(1rem,4vw,2.5rem)]'

type BelowLessonProps = Pick<ComponentProps<typeof LessonActions>, 'step' | 'done' | 'onMark'> & {
  page: LessonPageData
  lessons: SectionEntry['lessons']
  /** The lesson was just finished. */
  ending: boolean
  /** Marking it as done changes nothing for the certificate. */
  certified: boolean
}

/** Links to the next and previous lesson, the bookmark and the downloads. */
function BelowLesson({ page, lessons, step, ending, done, certified, onMark }: BelowLessonProps) {
  const { course, lesson } = page
  // An article is marked at its end.
  const marked = lesson.kind === 'video' || lesson.kind === 'quiz' ? lesson.kind : null
  return (
    <div className={`${beside} flex flex-col gap-6 pt-6 lg:col-start-1 print:hidden`}>
      {ending && 'lesson' in step && <LessonEnding step={step} />}
      <LessonActions
        courseId={course.id}
        previous={neighbor(lessons, lesson.id, -1)}
        step={step}
        done={done}
        markable={marked !== null}
        markNote={marked && !certified ? certificateNeeds[marked] : null}
        onMark={onMark}
        bookmarked={lessons.some((entry) => entry.id === lesson.id && entry.bookmarked)}
      />
      <LessonDownloads courseId={course.id} lesson={lesson} />
    </div>
  )
}

type ToolsProps = LessonPageProps & { time: PlaybackTime; onSeek(seconds: number): void }

/**
 * Transcript and notes: below the lesson, or at its side where the learner chose that. Memoized, because the player's
 * state changes several times a second.
 */
const Tools = memo(function Tools({ page, cues, notesAsked, time, onSeek }: ToolsProps) {
  const { lesson, course, notes } = page
  const transcript = {
    id: 'transcript',
    label: 'Transcript',
    content: <TranscriptPanel cues={cues} time={time} onSeek={onSeek} />,
  }
  const ownNotes = {
    id: 'notes',
    label: 'Notes',
    content: (
      <NotesPanel
        notes={notes}
        lessonId={lesson.id}
        former={lesson.former}
        courseId={course.id}
        timed={lesson.kind === 'video'}
        now={time.now}
        onSeek={onSeek}
      />
    ),
  }
  return (
    <div
      className={`${beside} pt-8 pb-16 lg:col-start-1 print:hidden lg:in-data-[side=tools]:sticky lg:in-data-[side=tools]:top-16.25 lg:in-data-[side=tools]:col-start-2 lg:in-data-[side=tools]:row-span-3 lg:in-data-[side=tools]:row-start-2 lg:in-data-[side=tools]:h-[calc(100dvh-4.0625rem)] lg:in-data-[side=tools]:overflow-y-auto lg:in-data-[side=tools]:border-line lg:in-data-[side=tools]:border-l lg:in-data-[side=tools]:p-5`}
    >
      <LessonTabs
        label="Transcript and notes"
        tabs={cues.length > 0 ? [transcript, ownNotes] : [ownNotes]}
        first={notesAsked ? 'notes' : 'transcript'}
      />
    </div>
  )
})

function LessonNotices({ retired }: { retired: boolean }) {
  const online = useOnline()
  return (
    <>
      <div role="status">
        {!online && (
          <Notice look="warn" className={`${beside} mb-3 print:hidden`}>
            {lessonOffline}
          </Notice>
        )}
      </div>
      <Notice look="warn" className={`${beside} mb-3 hidden noscript:block print:hidden`}>
        {withoutScripts}
      </Notice>
      {retired && (
        <Notice look="info" className={`${beside} mb-3 print:hidden`}>
          {lessonRetired}
        </Notice>
      )}
    </>
  )
}

/** A lesson was finished here; 'Next' is right below. A finished course has its own celebration. */
function LessonEnding({ step }: { step: NextStep }) {
  return <CelebrationCard icon={<Check size={28} />} {...nextStepNotice(step)} />
}
