import { expect, it } from 'vitest'
import { photoRules } from '../account-rules'
import { photoMessages } from './settings-messages'
import { photoProblem } from './settings-photo-field'

it.each([
  [{ size: photoRules.maxBytes, type: 'image/png' }, null],
  [{ size: photoRules.maxBytes + 1, type: 'image/png' }, photoMessages.tooLarge],
  [{ size: 1, type: 'image/webp' }, null],
  [{ size: 1, type: 'image/gif' }, photoMessages.wrongKind],
])('a chosen photo of %o: %s', (file, message) => expect(photoProblem(file)).toBe(message))
