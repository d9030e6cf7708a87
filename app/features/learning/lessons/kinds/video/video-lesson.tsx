import type { LessonView, LessonViewProps } from '../lesson-view'
import { fetchVideoFiles } from './renewable-video'
import { VideoEnding } from './video-ending'
import type { VideoMaterial } from './video-material.server'
import { VideoPlayer } from './video-player'
import { getResumeSeconds } from './video-rules'

export const videoView: LessonView<VideoMaterial> = {
  hasPlaybackTime: true,
  hasTableOfContents: false,

  getTranscript({ transcript }) {
    return transcript
  },

  Lesson: VideoLesson,
}

/** Plays the video of a lesson, reports what was played, and leads on at its end. */
function VideoLesson(props: LessonViewProps<VideoMaterial>) {
  const { material, courseId, lesson, progress, startSeconds, nextStep, navigation, reporter } =
    props
  // The progress of this visit must not move a video that is open already.
  const resumeSeconds = getResumeSeconds(lesson.progress, lesson.durationSeconds)

  return (
    <VideoPlayer
      ref={props.ref}
      files={material.files}
      renewFiles={() => fetchVideoFiles(courseId, lesson.id)}
      title={lesson.title}
      durationSeconds={lesson.durationSeconds}
      startSeconds={startSeconds ?? resumeSeconds}
      shouldPlay={props.shouldPlay}
      watched={progress.watched}
      onPlayed={(played, positionMs) => reporter.recordPlayed(played, positionMs)}
      onRest={() => void reporter.flush()}
      onPlaybackTime={props.onPlaybackTime}
      ending={<VideoEnding courseId={courseId} nextStep={nextStep} navigation={navigation} />}
    />
  )
}
