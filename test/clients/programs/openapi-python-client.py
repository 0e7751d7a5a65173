"""Six calls with the clients of openapi-python-client. Prints their results as JSON."""

import json
import os

from netpanel_data_interface_client import AuthenticatedClient
from netpanel_data_interface_client.api.data import post_metric_data
from netpanel_data_interface_client.api.exports import export_metric_data_csv
from netpanel_data_interface_client.api.listings import get_filter_values
from netpanel_data_interface_client.models import MetricQuery
from netpanel_metadata_interface_client import AuthenticatedClient as MetadataClient
from netpanel_metadata_interface_client.api.metadata import get_metadata
from netpanel_metadata_interface_client.models import GetMetadataField

query = AuthenticatedClient(base_url=os.environ["QUERY_URL"], token=os.environ["DATA_TOKEN"], prefix="")
metadata = MetadataClient(base_url=os.environ["METADATA_URL"], token=os.environ["METADATA_TOKEN"])


def request(chart_type, **fields):
    time = {"from": os.environ["FROM"], "to": os.environ["TO"]}
    shared = {"metric": "httpget", "chartType": chart_type, "normalised": False, "prefilter": False, "time": time}
    return MetricQuery.from_dict({**shared, **fields})


def points(request):
    response = post_metric_data.sync(client=query, body=request)
    return [point for series in response.data for point in series.metric_data]


daily = request("aggregate", aggregation="daily", splits=["isp", "floor"])
report = request(
    "aggregate",
    aggregation="total",
    household={"statistic": "mean"},
    relativeTo={"field": "custom.advertised"},
    shares={"thresholds": [80]},
)
agent = get_metadata.sync(GetMetadataField.AGENT, "a", client=metadata).data
print(
    json.dumps(
        {
            "daily": [[p["isp"], p["floor"], p.metric_value, p.partial] for p in points(daily)],
            "raw": [[p.agent, p["tier"], p.metric_value] for p in points(request("raw", splits=["tier"]))],
            "report": [[p.metric_value, p.shares["80"]] for p in points(report)],
            "values": get_filter_values.sync("isp", client=query).data,
            "exported": export_metric_data_csv.sync(client=query, body=daily).data.rows,
            "metadata": [agent.timezone, agent.custom["tier"], agent.custom["floor"]],
        }
    )
)
