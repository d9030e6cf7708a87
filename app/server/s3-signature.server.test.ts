import { describe, expect, test } from 'vitest'
import { signS3Request } from './s3-signature.server'

/** The examples of the Amazon S3 API reference, 'Signature calculations for the authorization header'. */
const credentials = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
}
const now = new Date('2013-05-24T00:00:00Z')

describe('an S3 signature', () => {
  test('is the documented one for reading an object', () => {
    const url = new URL('https://examplebucket.s3.amazonaws.com/test.txt')
    const signed = signS3Request({ method: 'GET', url, headers: { range: 'bytes=0-9' } }, credentials, now)
    expect(signed.authorization).toBe(
      'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, ' +
        'SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, ' +
        'Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    )
  })

  test('is the documented one for writing an object', () => {
    const request = {
      method: 'PUT',
      url: new URL('https://examplebucket.s3.amazonaws.com/test%24file.text'),
      headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
      body: Buffer.from('Welcome to Amazon S3.'),
    }
    expect(signS3Request(request, credentials, now).authorization).toContain(
      'Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    )
  })
})
