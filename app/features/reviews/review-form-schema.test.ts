import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkReview } from './review-form-schema'
import { parseReviewChoice, reviewListUrl, reviewSorts } from './review-list'
import { maxCommentLength, reviewMessages } from './review-messages'

const validReview = { rating: '5', comment: 'Good.', showsName: 'on' }
const checkChanges = (changes: object) => checkReview({ ...validReview, ...changes }).errors

describe("a review's form", () => {
  it('takes a rating, words and the choice to be named', () => {
    expect(checkReview(validReview).review).toEqual({
      rating: 5,
      comment: 'Good.',
      showsName: true,
    })
    expect(checkReview({ rating: '1', comment: '' }).review).toEqual({
      rating: 1,
      comment: '',
      showsName: false,
    })
  })

  it.each(['', '0', '6', '4.5', ' 5', '5x', '١', undefined, null, 5, ['5']])(
    'refuses the rating %j',
    (rating) => {
      expect(checkChanges({ rating })).toEqual({ rating: reviewMessages.ratingMissing })
    },
  )

  it('counts a line end as one character, as the browser does', () => {
    const lines = 'a\r\n'.repeat(maxCommentLength / 2)

    expect(checkChanges({ comment: lines })).toBeNull()
    expect(checkChanges({ comment: `${lines}ab` })).toEqual({
      comment: reviewMessages.commentTooLong,
    })
  })

  it('refuses a NUL, a file and fields it does not know', () => {
    expect(checkChanges({ comment: 'a\0b' })).toEqual({ comment: reviewMessages.unreadable })
    expect(checkChanges({ comment: new File([], 'x') })).toEqual({
      comment: reviewMessages.unreadable,
    })
    expect(checkChanges({ hidden_at: '1' })).toEqual({ comment: reviewMessages.unreadable })
  })

  it('keeps any other text as it is, but for the space around it', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 0xffff }), { maxLength: 100 }), (units) => {
        const text = String.fromCharCode(...units)
        expect(checkReview({ ...validReview, comment: text }).review?.comment).toBe(
          text.replaceAll('\r\n', '\n').trim(),
        )
      }),
    )
  })
})

describe('the choice of reviews', () => {
  it('survives its address', () => {
    const choices = fc.record({
      sort: fc.constantFrom(...reviewSorts),
      stars: fc.option(fc.integer({ min: 1, max: 5 })),
      page: fc.integer({ min: 1, max: 999_999 }),
    })

    fc.assert(
      fc.property(choices, (choice) => {
        expect(parseReviewChoice(new URLSearchParams(reviewListUrl(choice)))).toEqual(choice)
      }),
    )
  })

  it('falls back where an address is wrong', () => {
    expect(parseReviewChoice(new URLSearchParams('sort=x&stars=9&page=-1'))).toEqual({
      sort: 'helpful',
      stars: null,
      page: 1,
    })

    expect(parseReviewChoice(new URLSearchParams('page=0&stars=0'))).toMatchObject({
      page: 1,
      stars: null,
    })
  })
})
