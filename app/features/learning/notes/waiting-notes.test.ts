import { afterEach, expect, it, vi } from 'vitest'
import { Outbox } from '~/outbox/outbox'
import { MemoryEntryStore } from '../../../../tests/support/memory-entry-store'
import { allowResending, waitingNotes } from './waiting-notes'

const lesson = { courseId: 'python-from-zero', lessonId: 'names-and-values' }
const note = { ...lesson, id: 'a-note', positionMs: '0', body: 'Written offline' }

afterEach(() => {
  vi.unstubAllGlobals()
})

/** Puts the note into an outbox whose server responds as the test decides. */
async function createOutboxWithNote(respond: () => Response) {
  const sentForms: Record<string, string>[] = []
  vi.stubGlobal('fetch', async (_url: string, { body }: { body: URLSearchParams }) => {
    sentForms.push(Object.fromEntries(body))
    return respond()
  })

  const store = new MemoryEntryStore()
  await new Outbox(store).put(waitingNotes, { key: 'note', uid: 'ada', body: note }).whenStored

  return { store, sentForms, sendOnNewPage: () => new Outbox(store).send(waitingNotes, 'ada') }
}

function refuse(): Response {
  const errors = { form: 'Enroll in this course to take notes.' }
  return Response.json({ done: false, errors }, { status: 403 })
}

it('a refused note is kept, and sent again only while the page of its lesson shows it', async () => {
  let respond = refuse
  const { store, sentForms, sendOnNewPage } = await createOutboxWithNote(() => respond())
  await sendOnNewPage()
  await sendOnNewPage()
  expect(sentForms).toHaveLength(1)
  expect(store.entries.get('note')?.body).toEqual({
    ...note,
    refusal: 'Enroll in this course to take notes.',
  })

  const stopDisplaying = allowResending(lesson)
  await sendOnNewPage()
  stopDisplaying()
  await sendOnNewPage()
  expect(sentForms).toHaveLength(2)

  respond = () => Response.json({ done: true })
  const stopDisplayingAgain = allowResending(lesson)
  await sendOnNewPage()
  stopDisplayingAgain()
  const form = { intent: 'note', uid: 'ada', id: 'a-note', positionMs: '0', body: note.body }
  expect(sentForms).toEqual([form, form, form])
  expect(store.entries.size).toBe(0)
})

it.each([null, { done: false }])(
  'a note that is refused with %j is kept with a sentence, and not sent again',
  async (body) => {
    const { store, sentForms, sendOnNewPage } = await createOutboxWithNote(() =>
      Response.json(body, { status: 404 }),
    )

    await sendOnNewPage()
    await sendOnNewPage()

    expect(sentForms).toHaveLength(1)
    expect(store.entries.get('note')?.body).toEqual({
      ...note,
      refusal: 'This note couldn’t be saved. Edit it, then add it again.',
    })
  },
)
