import * as z from 'zod'
import { slug } from '~/server/validation/content-fields'
import { checkVideo } from '../../content/video-files.server'
import { commonMaterialFields, type LessonFormat, noMaterial } from '../lesson-format.server'

const schema = z.strictObject({
  kind: z.literal('video'),
  ...commonMaterialFields,
  /** The files are `videos/NAME.mp4`, `.webm`, `.vtt` and `.webp` in the course's folder. */
  video: slug,
})

export const videoFormat = {
  schema,

  listTextFiles() {
    return []
  },

  async read(reader, { lesson, folder }) {
    await checkVideo(reader, `${folder}/videos/${lesson.video}`, lesson.durationSeconds)
    return null
  },

  listQuestions() {
    return []
  },

  findAnchorProblem({ durationSeconds }, anchor) {
    const isSecondOfVideo = /^\d+$/.test(anchor) && Number(anchor) < durationSeconds
    if (isSecondOfVideo) {
      return null
    }

    return `\`${anchor}\` isn’t a second of this video. Write a whole number below ${durationSeconds}.`
  },

  getStoredMaterial({ video }, { courseId }) {
    return { ...noMaterial, video: `/media/courses/${courseId}/videos/${video}` }
  },
} satisfies LessonFormat<z.infer<typeof schema>>
