/** /Desk/Preview/:course/:lesson: a lesson as a learner sees it who has just enrolled. */
import { useRef, useState } from 'react'
import { Link } from 'react-router'
import {
  type CoursePreviewPageData,
  loadCoursePreviewPage,
} from '~/features/desk/courses/preview-pages.server'
import { examPreviewPath, previewPath } from '~/features/desk/courses/preview-paths'
import { DeskPage } from '~/features/desk/desk-page'
import { DeskTitle } from '~/features/desk/desk-parts'
import {
  requireDesk,
  requirePageData,
  respondUnknownPage,
} from '~/features/desk/desk-request.server'
import { CourseContents } from '~/features/learning/lessons/course-contents'
import { lessonViews } from '~/features/learning/lessons/kinds/lesson-views'
import { createPlaybackTime } from '~/features/learning/lessons/kinds/video/playback-time'
import { TranscriptPanel } from '~/features/learning/lessons/kinds/video/transcript-panel'
import type { PlayerHandle } from '~/features/learning/lessons/kinds/video/video-player'
import { LessonDownloads } from '~/features/learning/lessons/lesson-downloads'
import { PanelTabs } from '~/features/learning/lessons/lesson-panel'
import { LessonPathContext } from '~/features/learning/lessons/lesson-url'
import {
  findNextStep,
  findPreviousLesson,
  nextStepUrl,
  useNextStepNavigation,
} from '~/features/learning/lessons/next-step'
import { ButtonLink } from '~/ui/button'
import { Notice } from '~/ui/notice'
import proseStyle from '~/ui/prose-text.css?url'
import type { Route } from './+types/course-preview'

export async function loader(args: Route.LoaderArgs) {
  const desk = await requireDesk(args, 'see courses')
  return requirePageData(await loadCoursePreviewPage(desk))
}

export const action = respondUnknownPage

export default function CoursePreviewRoute({ loaderData }: Route.ComponentProps) {
  return (
    <DeskPage>
      <CoursePreviewView {...loaderData} />
    </DeskPage>
  )
}

/** Shows a lesson as learners see it, but stores nothing. */
function CoursePreviewView(preview: CoursePreviewPageData) {
  const { page, material, downloads, hasExam } = preview
  const { course, sections, lesson } = page
  const { Lesson, getTranscript, hasTableOfContents } = lessonViews[lesson.kind]
  const cues = getTranscript(material)

  const lessons = sections.flatMap((section) => section.lessons)
  const nextStep = findNextStep(lessons, lesson.id, course)
  const navigation = useNextStepNavigation(nextStepUrl(nextStep, course.id, previewPath))
  const previousLesson = findPreviousLesson(lessons, lesson.id)
  const player = useRef<PlayerHandle>(null)
  const [playbackTime] = useState(createPlaybackTime)

  const contents = (
    <CourseContents course={course} openLessonId={lesson.id} sections={sections} retired={[]} />
  )
  const transcript = (
    <TranscriptPanel
      cues={cues}
      playbackTime={playbackTime}
      onSeek={(seconds) => player.current?.seek(seconds)}
    />
  )

  // Answers to a quiz are kept in this component only.
  const [answeredIds, setAnsweredIds] = useState<readonly string[]>([])
  const reporter = {
    ...emptyReporter,
    recordAnswer: (id: string) => setAnsweredIds((previousIds) => [...previousIds, id]),
  }

  return (
    <LessonPathContext value={previewPath}>
      <link rel="stylesheet" href={proseStyle} precedence="default" />
      <Notice
        variant="info"
        silent
        className="mb-6"
        action={
          <Link to={`/Desk/Courses/${course.id}`} className="link">
            Back to the desk
          </Link>
        }
      >
        You see the course as a learner who has just enrolled. Nothing that you do here is stored.
      </Notice>
      <DeskTitle
        parentPage={{ to: `/Desk/Courses/${course.id}`, label: course.title }}
        intro={lesson.sectionTitle}
      >
        {lesson.title}
      </DeskTitle>
      <div
        className={
          hasTableOfContents ? 'grid gap-8' : 'grid gap-8 xl:grid-cols-[minmax(0,1fr)_20rem]'
        }
      >
        <div className="min-w-0">
          <Lesson
            material={material}
            ref={player}
            courseId={course.id}
            lesson={lesson}
            progress={{ ...lesson.progress, answered: [...answeredIds] }}
            isDone={false}
            startSeconds={null}
            shouldPlay={false}
            nextStep={nextStep}
            navigation={navigation}
            lessons={lessons}
            reporter={reporter}
            onPlaybackTime={playbackTime.set}
          />
          <div className="mt-6 grid gap-6">
            <LessonDownloads courseId={course.id} lesson={lesson} downloadUrls={downloads} />
            <nav aria-label="Lesson navigation" className="flex flex-wrap gap-3">
              {previousLesson && (
                <ButtonLink
                  variant="secondary"
                  to={`${previewPath}/${course.id}/${previousLesson.id}`}
                >
                  Previous
                </ButtonLink>
              )}
              {nextStep.kind === 'lesson' && (
                <ButtonLink to={`${previewPath}/${course.id}/${nextStep.lesson.id}`}>
                  Next
                </ButtonLink>
              )}
              {hasExam && (
                <ButtonLink variant="secondary" to={examPreviewPath(course.id)}>
                  Questions of the exam
                </ButtonLink>
              )}
            </nav>
          </div>
        </div>
        <div className="min-w-0">
          {cues.length === 0 ? (
            contents
          ) : (
            <PanelTabs
              tabs={[
                { id: 'lessons', label: 'Lessons', panel: contents },
                { id: 'transcript', label: 'Transcript', panel: transcript },
              ]}
            />
          )}
        </div>
      </div>
    </LessonPathContext>
  )
}

/** Replaces the reporter that stores a learner's progress, and stores nothing. */
const emptyReporter = {
  recordPlayed() {},
  recordReadToEnd() {},
  recordMark() {},
  recordMissedQuestion() {},
  async flush() {},
}
