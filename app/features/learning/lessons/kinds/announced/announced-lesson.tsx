import { Hourglass } from 'lucide-react'
import { EmptyState } from '~/ui/empty-state'
import type { LessonView } from '../lesson-view'

export const announcedView: LessonView<null> = {
  hasPlaybackTime: false,
  hasTableOfContents: false,

  getTranscript() {
    return []
  },

  Lesson: AnnouncedLesson,
}

function AnnouncedLesson() {
  return (
    <EmptyState icon={<Hourglass size={26} />} title="This lesson is coming soon">
      It’s listed so you know what the course will cover. It doesn’t count toward your progress yet.
    </EmptyState>
  )
}
