import { describe, expect, it } from 'vitest';
import { isAbandoned, parseShelterMarker } from '#scripts/shelter-marker.ts';

const marker = { home: '/srv/inbox/.data/postgres', host: 'box' };
const shelter = '/var/tmp/inbox-pg-abc123';

describe('the marker of a shelter', () => {
  it('is read as it was written', () => {
    expect(parseShelterMarker(JSON.stringify(marker))).toEqual(marker);
  });

  it('is nothing when it is missing, broken off or something else', () => {
    for (const text of ['', '{"home":"/srv', 'null', '"/srv"', '{"home":"/srv"}', '{"home":1,"host":"box"}'])
      expect(parseShelterMarker(text)).toBeUndefined();
  });
});

describe('a shelter', () => {
  it('is in use while its home points to it', () => {
    expect(isAbandoned(marker, { host: 'box', shelter, movedTo: shelter })).toBe(false);
  });

  it('is abandoned when its home is gone or points elsewhere', () => {
    expect(isAbandoned(marker, { host: 'box', shelter, movedTo: undefined })).toBe(true);
    expect(isAbandoned(marker, { host: 'box', shelter, movedTo: `${shelter}4` })).toBe(true);
  });

  it('of another machine is never judged', () => {
    expect(isAbandoned(marker, { host: 'other', shelter, movedTo: undefined })).toBe(false);
  });
});
