#!/bin/sh
# A bootstrap action of Amazon EMR 7: what Spark's Python needs on every machine of the cluster, and the
# binary.
#
#   aws emr create-cluster … --bootstrap-actions Path=s3://BUCKET/emr-bootstrap.sh,Args=s3://BUCKET/tabia
#
# With the binary on every machine, `tabia-spark` is given `--no-ship --exe /usr/local/bin/tabia`.
set -eu
sudo python3 -m pip install --quiet 'pyarrow>=11' 'pandas<3'
if [ "$#" -gt 0 ]; then
  copy=$(mktemp)
  aws s3 cp --only-show-errors "$1" "$copy"
  sudo install -m 755 "$copy" /usr/local/bin/tabia
  rm "$copy"
fi
