import { expect, it } from 'vitest'
import { previewVideo } from './preview-dialog'

const base = '/media/courses/python-from-zero/videos/names'

it('plays a lesson that is flagged preview and has a video', () => {
  expect(previewVideo({ preview: true, video: base })).toEqual({
    webm: `${base}.webm`,
    mp4: `${base}.mp4`,
    captions: `${base}.vtt`,
    poster: `${base}.webp`,
  })
})

it.each([
  { preview: false, video: base },
  { preview: true, video: null },
  { preview: false, video: null },
])('plays nothing for %o', (lesson) => {
  expect(previewVideo(lesson)).toBeNull()
})
