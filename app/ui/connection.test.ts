import { describe, expect, it } from 'vitest'
import { describeErrorResponse, describeFailedRequest, describeUnreachable } from './connection'

const refused = (status: number, data: unknown) => ({
  status,
  statusText: '',
  data,
  internal: false,
})

describe('a form whose answer does not come', () => {
  it.each([
    [new TypeError('Failed to fetch'), describeUnreachable()],
    // A part of the page that comes late, in Chrome, Firefox and Safari.
    [
      new TypeError('Failed to fetch dynamically imported module: /assets/a.js'),
      describeUnreachable(),
    ],
    [
      new TypeError('error loading dynamically imported module: /assets/a.js'),
      describeUnreachable(),
    ],
    [new TypeError('Importing a module script failed.'), describeUnreachable()],
    [
      refused(503, 'The server is busy. Try again in a moment.'),
      'The server is busy. Try again in a moment.',
    ],
    [refused(413, 'The photo is too large to upload.'), 'The photo is too large to upload.'],
    // A proxy's own pages.
    [refused(413, '<h1>Too large</h1>'), 'This is too large to send.'],
    [refused(504, '<h1>Gateway timeout</h1>'), 'The server is busy. Try again in a moment.'],
    [
      new Error('Unexpected Server Error'),
      'Something went wrong on our side. Please try again in a moment.',
    ],
  ])('stays, with a sentence', (error, sentence) => {
    expect(describeFailedRequest(error)).toBe(sentence)
  })

  it.each([
    [refused(404, 'We couldn’t find that attempt.')],
    [new Response(null, { status: 302 })],
  ])('leaves refusals and redirects to the page', (error) => {
    expect(() => describeFailedRequest(error)).toThrow()
  })
})

it.each([
  ['<html><h1>Bad gateway</h1></html>'],
  ['Error: You made a POST request to "/" but did not provide an `action`'],
  [{ secret: true }],
  [''],
  ['x'.repeat(1000)],
])('a page never shows what is no sentence', (data) => {
  expect(describeErrorResponse({ status: 500, data })).toBe(
    'We couldn’t show this page. Please try again in a moment.',
  )
})
