import {
  CircleDashed,
  CircleHelp,
  CirclePlay,
  Clock,
  FileText,
  ListChecks,
  type LucideIcon,
} from 'lucide-react'

/** What every page needs to know about a kind of lesson. */
type LessonKindInfo = {
  label: string
  /** Whether learners can open the lesson. Only lessons with material count toward progress. */
  hasMaterial: boolean
  icons: {
    /** In the curriculum that visitors see. */
    curriculum: LucideIcon
    /** In the same place for learners of the course, and in their list beside a lesson. */
    learnerCurriculum: LucideIcon
    lessonList: LucideIcon
  }
}

/**
 * All kinds of lessons. The other parts of a kind are listed in `lesson-formats.server.ts` (its
 * files) and, in the feature `learning`, in `lesson-rules.ts` (when it is finished),
 * `lesson-views.tsx` (its page) and `lesson-materials.server.ts` (what the page displays).
 */
export const lessonKinds = {
  video: {
    label: 'Video',
    hasMaterial: true,
    icons: sameIconEverywhere(CirclePlay),
  },
  article: {
    label: 'Article',
    hasMaterial: true,
    icons: sameIconEverywhere(FileText),
  },
  quiz: {
    label: 'Quiz',
    hasMaterial: true,
    icons: { ...sameIconEverywhere(ListChecks), lessonList: CircleHelp },
  },
  /** A lesson that the curriculum announces. Its material follows later. */
  announced: {
    label: 'Lesson',
    hasMaterial: false,
    icons: { ...sameIconEverywhere(Clock), curriculum: CircleDashed },
  },
} satisfies Record<string, LessonKindInfo>

export type LessonKind = keyof typeof lessonKinds

function sameIconEverywhere(icon: LucideIcon): LessonKindInfo['icons'] {
  return { curriculum: icon, learnerCurriculum: icon, lessonList: icon }
}

export function hasMaterial({ kind }: { kind: LessonKind }): boolean {
  return lessonKinds[kind].hasMaterial
}
