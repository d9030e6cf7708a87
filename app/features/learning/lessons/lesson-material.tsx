import { Hourglass } from 'lucide-react'
import type { Ref } from 'react'
import { EmptyState } from '~/ui/empty-state'
import { ArticleLesson } from '../article/article-lesson'
import type { RenderedArticle } from '../article/markdown.server'
import { atEndSeconds, type LessonWork } from '../progress/lesson-work'
import { QuizLesson } from '../quiz/quiz-lesson'
import type { ProgressReporter } from '../report/progress-reporter'
import { fetchVideoFiles } from '../video/renewable-video'
import { VideoEnding } from '../video/video-ending'
import { type PlayerHandle, VideoPlayer } from '../video/video-player'
import { lessonToCome } from './lesson-messages'
import type { LessonEntry, OpenLesson, VideoFiles } from './lesson-page-data'
import type { NextStep } from './next-step'
import type { GoOn } from './use-go-on'

type MaterialProps = {
  ref: Ref<PlayerHandle>
  courseId: string
  lesson: OpenLesson
  article: RenderedArticle | null
  files: VideoFiles | null
  work: LessonWork
  done: boolean
  at: number | null
  plays: boolean
  step: NextStep
  goOn: GoOn
  lessons: readonly LessonEntry[]
  reporter: Pick<
    ProgressReporter,
    'recordPlayed' | 'recordReadToEnd' | 'recordMark' | 'recordAnswer' | 'recordMissed' | 'flush'
  >
  onTime(seconds: number): void
}

/** The lesson itself: a video, an article, a quiz, or a note that it is coming soon. */
export function LessonMaterial(props: MaterialProps) {
  const { courseId, lesson, article, files, work, done, step, goOn, lessons, reporter } = props
  if (lesson.kind === 'video' && files) {
    return <VideoLesson {...props} files={files} />
  }

  if (lesson.kind === 'article' && article) {
    return (
      <ArticleLesson
        article={article}
        done={done}
        next={step.kind === 'lesson' ? step.lesson.id : null}
        goOn={goOn}
        onReadToEnd={() => reporter.recordReadToEnd()}
        onMark={(mark) => reporter.recordMark(mark)}
      />
    )
  }

  if (lesson.kind === 'quiz') {
    return (
      <div className="mx-auto w-full max-w-4xl px-[clamp(1rem,4vw,2.5rem)] pt-6">
        <QuizLesson
          courseId={courseId}
          lessonId={lesson.id}
          questions={lesson.questions}
          lessons={lessons}
          answered={work.answered}
          done={done}
          onAnswer={(questionId) => reporter.recordAnswer(questionId)}
          onMissed={(questionId) => reporter.recordMissed(questionId)}
        />
      </div>
    )
  }

  return (
    <EmptyState icon={<Hourglass size={26} />} title={lessonToCome.title}>
      {lessonToCome.text}
    </EmptyState>
  )
}

function VideoLesson({
  ref,
  courseId,
  lesson,
  files,
  work,
  at,
  plays,
  step,
  goOn,
  reporter,
  onTime,
}: MaterialProps & { files: VideoFiles }) {
  return (
    <VideoPlayer
      ref={ref}
      files={files}
      renewFiles={() => fetchVideoFiles(courseId, lesson.id)}
      title={lesson.title}
      durationSeconds={lesson.durationSeconds}
      startAt={at ?? resumeAt(lesson)}
      plays={plays}
      watched={work.watched}
      onPlayed={(played, positionMs) => reporter.recordPlayed(played, positionMs)}
      onRest={() => void reporter.flush()}
      onTime={onTime}
      ending={<VideoEnding courseId={courseId} step={step} goOn={goOn} />}
    />
  )
}

/** Seconds. */
function resumeAt({ work, durationSeconds }: OpenLesson): number {
  const seconds = (work.position?.ms ?? 0) / 1000
  return seconds > durationSeconds - atEndSeconds ? 0 : seconds
}
