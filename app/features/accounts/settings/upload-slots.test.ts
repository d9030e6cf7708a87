import { expect, test } from 'vitest'
import { UploadSlots } from './upload-slots'

const forever = new Promise<never>(() => {})

test('a learner has one slot, and all together have a few', async () => {
  const slots = new UploadSlots(2)
  void slots.use('ada', () => forever)
  expect(await slots.use('ada', async () => 'read')).toBeNull()
  void slots.use('eve', () => forever)
  expect(await slots.use('grace', async () => 'read')).toBeNull()
})

test('a slot is free again when reading ends or fails', async () => {
  const slots = new UploadSlots(1)
  await expect(slots.use('ada', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone')
  expect(await slots.use('ada', async () => 'read')).toBe('read')
  expect(await slots.use('eve', async () => 'read')).toBe('read')
})
