import { describe, expect, it } from 'vitest'
import { foreignAnswer } from './answers'
import { answerOr, refusalSentence } from './connection'

describe('an answer that is not the product’s', () => {
  const withPhoto = new FormData()
  withPhoto.set('photo', new File(['x'], 'me.jpg'))

  it.each([
    [413, withPhoto, 413, 'The photo is too large to upload.'],
    [413, new FormData(), 413, 'This is too large to send.'],
    [413, '{}', 413, 'This is too large to send.'],
    [502, undefined, 503, 'The server is busy. Try again in a moment.'],
    [504, undefined, 503, 'The server is busy. Try again in a moment.'],
    // A firewall's or a hotel's page: what was sent has not arrived, so that it may be sent again.
    [403, undefined, 503, 'The server is busy. Try again in a moment.'],
    [200, undefined, 503, 'The server is busy. Try again in a moment.'],
  ])('with status %d becomes a sentence', async (status, body, shownStatus, sentence) => {
    const answer = foreignAnswer(status, body)
    expect(answer.status).toBe(shownStatus)
    expect(await answer.text()).toBe(sentence)
  })
})

const refused = (status: number, data: unknown) => ({ status, statusText: '', data, internal: false })

describe('a form whose answer does not come', () => {
  const sentenceFor = (error: unknown) =>
    answerOr(
      () => Promise.reject(error),
      (sentence) => sentence,
    )

  it.each([
    [new TypeError('Failed to fetch'), 'We couldn’t reach Learnify. Check your connection, then try again.'],
    [refused(503, 'The server is busy. Try again in a moment.'), 'The server is busy. Try again in a moment.'],
    [refused(413, 'The photo is too large to upload.'), 'The photo is too large to upload.'],
    [new Error('Unexpected Server Error'), 'Something went wrong on our side. Please try again in a moment.'],
  ])('stays, with a sentence', async (error, sentence) => {
    expect(await sentenceFor(error)).toBe(sentence)
  })

  it.each([[refused(404, 'We couldn’t find that attempt.')], [new Response(null, { status: 302 })]])(
    'leaves refusals and redirects to the page',
    async (error) => {
      await expect(sentenceFor(error)).rejects.toBe(error)
    },
  )
})

it.each([
  ['<html><h1>Bad gateway</h1></html>'],
  ['Error: You made a POST request to "/" but did not provide an `action`'],
  [{ secret: true }],
  [''],
  ['x'.repeat(1000)],
])('a page never shows what is no sentence', (data) => {
  expect(refusalSentence({ status: 500, data })).toBe('We couldn’t show this page. Please try again in a moment.')
})
