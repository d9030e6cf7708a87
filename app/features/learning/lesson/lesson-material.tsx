import { ArrowRight, Hourglass } from 'lucide-react'
import type { Ref } from 'react'
import { ButtonLink } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'
import { atEndSeconds, type LessonWork } from '../course-work/lesson-work'
import { ArticleLesson } from './article-lesson'
import { fetchFilm } from './lasting-film'
import type { LessonEntry, LessonFilm, OpenLesson } from './lesson-page-data'
import { QuizLesson } from './quiz-lesson'
import type { ProgressReporter } from './report/progress-reporter'
import { type PlayerHandle, VideoPlayer } from './video-player'

type MaterialProps = {
  ref: Ref<PlayerHandle>
  courseId: string
  lesson: OpenLesson
  html: string | null
  film: LessonFilm | null
  work: LessonWork
  done: boolean
  at: number | null
  next: LessonEntry | null
  lessons: readonly LessonEntry[]
  reporter: ProgressReporter
  onTime(seconds: number): void
}

/** The lesson itself: a video, an article, a quiz, or a note that it is coming soon. */
export function LessonMaterial({
  ref,
  courseId,
  lesson,
  html,
  film,
  work,
  done,
  at,
  next,
  lessons,
  reporter,
  onTime,
}: MaterialProps) {
  const startAt = at ?? resumeAt(lesson)
  if (lesson.kind === 'video' && film) {
    return (
      <VideoPlayer
        ref={ref}
        film={film}
        renewFilm={() => fetchFilm(courseId, lesson.id)}
        title={lesson.title}
        durationSeconds={lesson.durationSeconds}
        startAt={startAt}
        watched={work.watched}
        onPlayed={(played, positionMs) => reporter.recordPlayed(played, positionMs)}
        onTime={onTime}
        ending={<VideoEnding courseId={courseId} next={next} />}
      />
    )
  }
  if (lesson.kind === 'article' && html !== null) {
    return (
      <ArticleLesson
        html={html}
        readToEnd={work.readToEnd}
        done={done}
        onReadToEnd={() => reporter.recordReadToEnd()}
        onMark={() => reporter.recordMark('done')}
      />
    )
  }
  if (lesson.kind === 'quiz') {
    return (
      <QuizLesson
        courseId={courseId}
        questions={lesson.questions}
        lessons={lessons}
        answered={work.answered}
        done={done}
        onAnswer={(questionId) => reporter.recordAnswer(questionId)}
        onMissed={(questionId) => reporter.recordMissed(questionId)}
      />
    )
  }
  return (
    <EmptyState icon={<Hourglass size={26} />} title="This lesson is coming soon">
      It’s listed so you know what the course will cover. It doesn’t count toward your progress yet.
    </EmptyState>
  )
}

/** Seconds. */
function resumeAt({ work, durationSeconds }: OpenLesson): number {
  const seconds = (work.position?.ms ?? 0) / 1000
  return seconds > durationSeconds - atEndSeconds ? 0 : seconds
}

function VideoEnding({ courseId, next }: { courseId: string; next: LessonEntry | null }) {
  if (!next) {
    return (
      <>
        <p className="text-lg font-semibold">That was the last lesson available so far.</p>
        <ButtonLink to={`/Exam/${courseId}`}>Go to exam</ButtonLink>
      </>
    )
  }
  return (
    <>
      <p>
        <span className="block text-sm text-white/80">Next lesson</span>
        <span className="text-lg font-semibold">{next.title}</span>
      </p>
      <ButtonLink to={`/Learn/${courseId}/${next.id}`}>
        Continue <ArrowRight aria-hidden="true" size={18} />
      </ButtonLink>
    </>
  )
}
