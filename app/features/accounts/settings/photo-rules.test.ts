import { expect, it } from 'vitest'
import { checkChosenPhoto, photoRules } from './photo-rules'
import { photoMessages } from './settings-messages'

it.each([
  [{ size: photoRules.maxBytes, type: 'image/png' }, null],
  [{ size: photoRules.maxBytes + 1, type: 'image/png' }, photoMessages.tooLarge],
  [{ size: 1, type: 'image/webp' }, null],
  [{ size: 1, type: 'image/gif' }, photoMessages.wrongKind],
])('a chosen photo of %o: %s', (file, message) => expect(checkChosenPhoto(file)).toBe(message))
